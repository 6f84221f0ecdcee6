import { useState } from 'preact/hooks';
import type { AuditEntry } from '../answers';
import { withQuery } from '../api';
import { moment } from '../format';
import { useWords } from '../i18n';
import { audit } from '../live';
import { useLater } from '../parts/later';
import { Loaded, useLoaded } from '../parts/loaded';
import { Search } from '../parts/search';
import { Table, type Column } from '../parts/table';
import { useStore } from '../store';

export function AuditPage() {
  const t = useWords();
  const [target, setTarget] = useState('');
  const asked = useLater(target.trim());
  const loading = useLoaded<AuditEntry[]>(withQuery('/api/audit', { limit: 500, target: asked }));
  const come = useStore(audit);
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: t('when'), by: (e) => e.id, cell: (e) => moment(e.at, t.language) },
    { key: 'who', title: t('whoDid'), by: (e) => e.who, cell: (e) => e.who },
    { key: 'action', title: t('action'), by: (e) => e.action, cell: (e) => <code>{e.action}</code> },
    { key: 'target', title: t('target'), by: (e) => e.target, cell: (e) => e.target },
    { key: 'detail', title: t('detail'), cell: (e) => e.detail },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('audit')}</h1>
        <Search label={t('searchAudit')} value={target} change={setTarget} />
      </div>
      <Loaded from={loading}>
        {(all) => {
          const known = new Set(all.map((e) => e.id));
          const newer = come.filter((e) => !known.has(e.id) && (!asked || e.target.toLowerCase() === asked.toLowerCase()));
          return <Table label={t('audit')} columns={columns} rows={[...newer, ...all]} id={(e) => e.id} first={{ key: 'at', down: true }} />;
        }}
      </Loaded>
    </>
  );
}
