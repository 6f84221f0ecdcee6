import { ActionButtons } from '../actions/buttons';
import type { Target } from '../actions/actions';
import { may } from '../actions/actions';
import { ask } from '../actions/form';
import type { Desk, Doubt, Note, Position, Role, Shared, SharedAccount } from '../answers';
import { me } from '../api';
import { coordinates, moment, number } from '../format';
import { useWords } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { RowActions } from '../parts/rowactions';
import { Table, type Column } from '../parts/table';
import { href } from '../router';
import { useStore } from '../store';

/** How far apart two points are, in metres. */
export const apart = (a: Position, b: Position) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/** An account within a group: a row of the table. */
export interface Member extends SharedAccount {
  group: Shared;
}

/** The accounts of all groups, those of one group beside each other. */
export const members = (all: readonly Shared[]): Member[] => all.flatMap((group) => group.accounts.map((a) => ({ ...a, group })));

const target = (id: number, login: string, role: Role): Target => ({ name: login, login, account: id, role });

/** What is done with somebody from here. */
function Deeds({ of, muted, banned, online, done }: { of: Target; muted?: boolean; banned?: boolean; online?: boolean; done: () => void }) {
  return (
    <RowActions name={of.name}>
      <ActionButtons names={['note', ...(online === false ? [] : (['kick'] as const)), muted ? 'unmute' : 'mute', banned ? 'unban' : 'ban']} target={async () => of} done={done} />
    </RowActions>
  );
}

/** What game masters look through: moves that were not believed, accounts that belong together, and notes. */
export function DeskPage() {
  const t = useWords();
  const loading = useLoaded<Desk>('/api/desk');
  return (
    <>
      <div class="head">
        <h1>{t('desk')}</h1>
      </div>
      <Loaded from={loading}>
        {(desk) => (
          <>
            <h2>{t('doubts')}</h2>
            <p class="hint">{t('doubtsHint')}</p>
            <Doubts all={desk.doubts} again={loading.again} />
            <h2 class="next">{t('shared')}</h2>
            <p class="hint">{t('sharedHint')}</p>
            <SharedTable all={desk.shared} again={loading.again} />
            <div class="head second">
              <h2>{t('notes')}</h2>
            </div>
            <p class="hint">{t('notesHint')}</p>
            <Notes all={desk.notes} again={loading.again} />
          </>
        )}
      </Loaded>
    </>
  );
}

const login = (name: string) => <a href={href('accounts', '', { search: name })}>{name}</a>;

function Doubts({ all, again }: { all: Doubt[]; again: () => void }) {
  const t = useWords();
  const columns: Column<Doubt>[] = [
    { key: 'character', title: t('character'), by: (d) => d.character.toLowerCase(), cell: (d) => <a href={href('characters', '', { search: d.character })}>{d.character}</a> },
    { key: 'login', title: t('account'), by: (d) => d.login.toLowerCase(), cell: (d) => login(d.login) },
    { key: 'count', title: t('doubtCount'), by: (d) => d.count, cell: (d) => number(d.count, t.language), figure: true },
    { key: 'last', title: t('lastTime'), by: (d) => d.last, cell: (d) => moment(d.last, t.language) },
    { key: 'place', title: t('place'), by: (d) => t.both(d.place), cell: (d) => t.both(d.place), wide: true },
    { key: 'leap', title: t('doubtLeap'), by: (d) => apart(d.at, d.to), cell: (d) => t('doubtLeapOf', { metres: number(Math.round(apart(d.at, d.to)), t.language), to: coordinates(d.to) }), wide: true },
    { key: 'actions', title: t('actions'), cell: (d) => <Deeds of={target(d.id, d.login, d.role)} done={again} /> },
  ];
  return <Table label={t('doubts')} columns={columns} rows={all} id={(d) => d.id} first={{ key: 'last', down: true }} empty={t('noDoubts')} />;
}

function SharedTable({ all, again }: { all: Shared[]; again: () => void }) {
  const t = useWords();
  const columns: Column<Member>[] = [
    {
      key: 'of',
      title: t('sharedOf'),
      by: (m) => `${String(100000 - m.group.count)} ${m.group.kind} ${m.group.of}`,
      cell: (m) => (
        <>
          {t(m.group.kind === 'address' ? 'sharedAddress' : 'sharedName')} <strong>{m.group.of}</strong> · {number(m.group.count, t.language)}
        </>
      ),
    },
    {
      key: 'login',
      title: t('account'),
      by: (m) => m.login.toLowerCase(),
      cell: (m) => (
        <>
          {login(m.login)}
          {m.online && <span class="badge good">{t('isOnline')}</span>}
          {m.banned && <span class="badge bad">{t('banned')}</span>}
          {m.muted && <span class="badge">{t('muted')}</span>}
        </>
      ),
    },
    { key: 'characters', title: t('characters'), cell: (m) => m.characters.join(', ') || '–' },
    { key: 'lastLogin', title: t('lastLogin'), by: (m) => m.lastLogin ?? '', cell: (m) => moment(m.lastLogin, t.language), wide: true },
    { key: 'actions', title: t('actions'), cell: (m) => <Deeds of={target(m.id, m.login, m.role)} muted={m.muted} banned={m.banned} online={m.online} done={again} /> },
  ];
  return <Table label={t('shared')} columns={columns} rows={members(all)} id={(m) => `${m.group.kind} ${m.group.of} ${m.id}`} first={{ key: 'of', down: false }} empty={t('noShared')} />;
}

/** Notes, on one account or on all. */
export function Notes({ all, again }: { all: Note[]; again: () => void }) {
  const t = useWords();
  const mayDelete = may(useStore(me)?.role, 'gamemaster');
  const columns: Column<Note>[] = [
    { key: 'login', title: t('account'), by: (n) => n.login.toLowerCase(), cell: (n) => login(n.login) },
    { key: 'text', title: t('note'), cell: (n) => n.text },
    { key: 'by', title: t('whoDid'), by: (n) => n.by.toLowerCase(), cell: (n) => t.author(n.by), wide: true },
    { key: 'at', title: t('when'), by: (n) => n.id, cell: (n) => moment(n.at, t.language), figure: true },
  ];
  if (mayDelete) {
    columns.push({
      key: 'actions',
      title: t('actions'),
      cell: (n) => (
        <button type="button" class="small risky" aria-label={t('deleteNoteOf', { name: n.login })} onClick={() => ask('deleteNote', { name: n.login, note: n.id }, again)}>
          {t('delete')}
        </button>
      ),
    });
  }
  return <Table label={t('notes')} columns={columns} rows={all} id={(n) => n.id} first={{ key: 'at', down: true }} empty={t('noNotes')} />;
}

/** The notes on an account, where there are some. */
export function NotesOf({ account }: { account: number }) {
  const t = useWords();
  const loading = useLoaded<Note[]>(`/api/accounts/${account}/notes`);
  return (
    <Loaded from={loading}>
      {(all) =>
        all.length > 0 && (
          <section class="mission" aria-label={t('notes')}>
            <h3>{t('notes')}</h3>
            {all.map((n) => (
              <p key={n.id} class="hint">
                {n.text}
                <br />
                {t.author(n.by)} · {moment(n.at, t.language)}
              </p>
            ))}
          </section>
        )
      }
    </Loaded>
  );
}
