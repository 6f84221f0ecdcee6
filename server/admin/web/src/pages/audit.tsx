import { useState } from 'preact/hooks';
import type { AuditEntry } from '../answers';
import { get } from '../api';
import { moment } from '../format';
import { useWords } from '../i18n';
import { audit } from '../live';
import { explain, Loaded, useLoaded } from '../parts/loaded';
import { Search } from '../parts/search';
import { Table, type Column } from '../parts/table';
import { useStore } from '../store';

/** Whether an entry has a text in what it says, in either language. */
export function mentions(e: AuditEntry, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [e.who, e.target, e.sentence.ru, e.sentence.en].some((v) => v.toLowerCase().includes(wanted));
}

/** How many entries the server is asked for at once. */
const batch = 1000;

/** The older of two lists behind the newer, each entry once. */
export function joined(...lists: AuditEntry[][]): AuditEntry[] {
  return [...new Map(lists.flat().map((e) => [e.id, e])).values()];
}

export function AuditPage() {
  const t = useWords();
  const [older, setOlder] = useState<{ entries: AuditEntry[]; all?: boolean; problem?: unknown }>({ entries: [] });
  const [search, setSearch] = useState('');
  const loading = useLoaded<AuditEntry[]>(`/api/audit?limit=${batch}`);
  const come = useStore(audit);
  const columns: Column<AuditEntry>[] = [
    { key: 'sentence', title: t('action'), cell: (e) => t.both(e.sentence) },
    { key: 'who', title: t('whoDid'), by: (e) => e.who.toLowerCase(), cell: (e) => t.author(e.who), wide: true },
    { key: 'at', title: t('when'), by: (e) => e.id, cell: (e) => moment(e.at, t.language), figure: true },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('audit')}</h1>
        <Search label={t('searchAudit')} value={search} change={setSearch} />
      </div>
      <Loaded from={loading}>
        {(all) => {
          const loaded = joined(come, all, older.entries);
          const rows = loaded.filter((e) => mentions(e, search));
          const load = async () => {
            try {
              const more = await get<AuditEntry[]>(`/api/audit?limit=${batch}&before=${Math.min(...loaded.map((e) => e.id))}`);
              setOlder((was) => ({ entries: joined(was.entries, more), all: more.length < batch }));
            } catch (problem) {
              setOlder((was) => ({ ...was, problem }));
            }
          };
          return (
            <>
              <Table label={t('audit')} columns={columns} rows={rows} id={(e) => e.id} first={{ key: 'at', down: true }} search={search} clear={() => setSearch('')} />
              {older.problem !== undefined && (
                <p class="trouble" role="alert">
                  {explain(older.problem, t)}
                </p>
              )}
              {all.length === batch && !older.all && (
                <button type="button" class="small" onClick={load}>
                  {t('olderAudit')}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
