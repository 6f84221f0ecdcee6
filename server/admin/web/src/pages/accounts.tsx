import { accountTarget, ActionButtons } from '../actions/buttons';
import type { Account, Ban } from '../answers';
import { moment } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded } from '../parts/loaded';
import { RowActions } from '../parts/rowactions';
import { Search } from '../parts/search';
import { useSearched } from '../parts/searched';
import { Table, type Column } from '../parts/table';
import { href } from '../router';

/** A ban or a mute in a few words. */
function describe(m: Ban, t: Speech): string {
  const until = m.until ? t('until', { at: moment(m.until, t.language) }) : t('forEver');
  return [until, m.reason, m.by && t('by', { who: m.by })].filter(Boolean).join(' · ');
}

/** Whether a ban or a mute is still in force. */
export function holds(m: Ban | null | undefined, now = Date.now()): m is Ban {
  return Boolean(m) && (!m!.until || new Date(m!.until).getTime() > now);
}

export function AccountsPage() {
  const t = useWords();
  const { search, setSearch, loading } = useSearched<Account>('/api/accounts');
  const columns: Column<Account>[] = [
    {
      key: 'login',
      title: t('login'),
      by: (a) => a.login.toLowerCase(),
      cell: (a) => (
        <>
          <strong>{a.login}</strong>
          {a.online && <span class="badge good">{t('isOnline')}</span>}
          {holds(a.ban) && (
            <span class="badge bad" title={describe(a.ban, t)}>
              {t('banned')}: {describe(a.ban, t)}
            </span>
          )}
          {holds(a.mute) && (
            <span class="badge" title={describe(a.mute, t)}>
              {t('muted')}: {describe(a.mute, t)}
            </span>
          )}
        </>
      ),
    },
    { key: 'role', title: t('role'), by: (a) => a.role, cell: (a) => t.named('role', a.role) },
    {
      key: 'characters',
      title: t('characters'),
      cell: (a) =>
        (a.characters ?? []).map((name, i) => (
          <span key={name}>
            {i > 0 && ', '}
            <a href={href('characters', '', { search: name })}>{name}</a>
          </span>
        )),
    },
    { key: 'created', title: t('created'), by: (a) => a.created, cell: (a) => moment(a.created, t.language), wide: true },
    { key: 'lastLogin', title: t('lastLogin'), by: (a) => a.lastLogin ?? '', cell: (a) => moment(a.lastLogin, t.language) },
    { key: 'lastAddress', title: t('address'), by: (a) => a.lastAddress ?? '', cell: (a) => a.lastAddress || '–', wide: true },
    {
      key: 'actions',
      title: t('actions'),
      cell: (a) => (
        <RowActions name={a.login}>
          <ActionButtons
            names={['role', 'password', holds(a.mute) ? 'unmute' : 'mute', holds(a.ban) ? 'unban' : 'ban']}
            target={async () => accountTarget(a)}
            done={loading.again}
          />
        </RowActions>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('accounts')}</h1>
        <Search label={t('searchAccounts')} value={search} change={setSearch} />
      </div>
      <Loaded from={loading}>
        {(all) => <Table label={t('accounts')} columns={columns} rows={all} id={(a) => a.id} first={{ key: 'login', down: false }} />}
      </Loaded>
    </>
  );
}
