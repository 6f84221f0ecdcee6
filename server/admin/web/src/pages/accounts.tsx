import { accountTarget, ActionButtons } from '../actions/buttons';
import { DeletedOf } from '../actions/deleted';
import type { Account, AddressBan, Ban } from '../answers';
import { may } from '../actions/actions';
import { ask } from '../actions/form';
import { me } from '../api';
import { moment } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { RowActions } from '../parts/rowactions';
import { Search } from '../parts/search';
import { useSearched } from '../parts/searched';
import { Table, type Column } from '../parts/table';
import { NotesOf } from './desk';
import { href } from '../router';
import { useStore } from '../store';

/** A ban or a mute in a few words. */
function describe(m: Ban, t: Speech): string {
  const until = m.until ? t('until', { at: moment(m.until, t.language) }) : t('forEver');
  return [until, m.reason, m.by && t('by', { who: t.author(m.by) })].filter(Boolean).join(' · ');
}

/** Whether a ban or a mute is still in force. */
export function holds(m: Ban | null | undefined, now = Date.now()): m is Ban {
  return Boolean(m) && (!m!.until || new Date(m!.until).getTime() > now);
}

export function AccountsPage() {
  const t = useWords();
  const { search, setSearch, loading } = useSearched<Account>('/api/accounts');
  const administrator = may(useStore(me)?.role, 'administrator');
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
    ...(loading.value?.some((a) => a.lastAddress) ? [{ key: 'lastAddress', title: t('address'), by: (a: Account) => a.lastAddress ?? '', cell: (a: Account) => a.lastAddress || '–', wide: true }] : []),
    {
      key: 'actions',
      title: t('actions'),
      cell: (a) => (
        <RowActions name={a.login}>
          <ActionButtons
            names={['note', 'role', 'password', holds(a.mute) ? 'unmute' : 'mute', holds(a.ban) ? 'unban' : 'ban', 'banAddress', 'deleteAccount']}
            target={async () => accountTarget(a)}
            done={loading.again}
          />
          <NotesOf account={a.id} />
          <DeletedOf account={a.id} done={loading.again} />
        </RowActions>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('accounts')}</h1>
        <Search label={t('searchAccounts')} value={search} change={setSearch} />
        {administrator && (
          <button type="button" class="main" onClick={() => ask('addAccount', { name: '' }, loading.again)}>
            {t('addAccount')}
          </button>
        )}
      </div>
      <Loaded from={loading}>
        {(all) => <Table label={t('accounts')} columns={columns} rows={all} id={(a) => a.id} first={{ key: 'login', down: false }} search={search} clear={() => setSearch('')} />}
      </Loaded>
      {administrator && <Addresses />}
    </>
  );
}

/** Addresses and networks that are kept out. */
function Addresses() {
  const t = useWords();
  const loading = useLoaded<AddressBan[]>('/api/addresses');
  const columns: Column<AddressBan>[] = [
    { key: 'address', title: t('address'), by: (a) => a.prefix, cell: (a) => <strong>{plain(a.prefix)}</strong> },
    { key: 'ban', title: t('howLong'), by: (a) => a.until ?? '9', cell: (a) => describe(a, t) },
    { key: 'at', title: t('when'), by: (a) => a.at ?? '', cell: (a) => moment(a.at, t.language), wide: true },
    {
      key: 'actions',
      title: t('actions'),
      cell: (a) => (
        <button type="button" class="small" onClick={() => ask('unbanAddress', { name: plain(a.prefix), address: a.prefix }, loading.again)}>
          {t('unban')}
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="head second">
        <h2>{t('addresses')}</h2>
        <button type="button" onClick={() => ask('banAddress', { name: '' }, loading.again)}>
          {t('banAddress')}
        </button>
      </div>
      <Loaded from={loading}>
        {(all) => <Table label={t('addresses')} columns={columns} rows={all} id={(a) => a.prefix} first={{ key: 'address', down: false }} empty={t('noAddresses')} />}
      </Loaded>
    </>
  );
}

/** A network of one address is that address. */
export const plain = (prefix: string) => prefix.replace(/^([\d.]+)\/32$|^([\da-f:]+)\/128$/i, '$1$2');
