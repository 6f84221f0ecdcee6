import { useState } from 'preact/hooks';
import type { AuditEntry } from '../answers';
import { moment } from '../format';
import { useWords, type Speech } from '../i18n';
import { audit } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { Search } from '../parts/search';
import { Table, type Column } from '../parts/table';
import { useStore } from '../store';

/** Whether an entry has a text in what it says. */
export function mentions(e: AuditEntry, search: string, t: Speech): boolean {
  const wanted = search.trim().toLowerCase();
  return [e.who, e.target, t.both(e.sentence)].some((v) => v.toLowerCase().includes(wanted));
}

export function AuditPage() {
  const t = useWords();
  const [search, setSearch] = useState('');
  const loading = useLoaded<AuditEntry[]>('/api/audit?limit=1000');
  const come = useStore(audit);
  const columns: Column<AuditEntry>[] = [
    { key: 'sentence', title: t('action'), cell: (e) => t.both(e.sentence) },
    { key: 'who', title: t('whoDid'), by: (e) => e.who.toLowerCase(), cell: (e) => e.who, wide: true },
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
          const known = new Set(all.map((e) => e.id));
          const rows = [...come.filter((e) => !known.has(e.id)), ...all].filter((e) => mentions(e, search, t));
          return <Table label={t('audit')} columns={columns} rows={rows} id={(e) => e.id} first={{ key: 'at', down: true }} search={search} clear={() => setSearch('')} />;
        }}
      </Loaded>
    </>
  );
}
