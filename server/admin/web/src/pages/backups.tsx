import { useState } from 'preact/hooks';
import { ask } from '../actions/form';
import type { Backups } from '../answers';
import { perform } from '../api';
import { bytes, moment } from '../format';
import { useWords } from '../i18n';
import { explain, Loaded, useLoaded } from '../parts/loaded';
import { tell } from '../parts/notices';
import { Table, type Column } from '../parts/table';
import { served } from '../served';

type Backup = Backups['backups'][number];

export function BackupsPage() {
  const t = useWords();
  const loading = useLoaded<Backups>('/api/backups', 30_000);
  const [busy, setBusy] = useState(false);
  const columns: Column<Backup>[] = [
    { key: 'at', title: t('when'), by: (b) => b.at, cell: (b) => moment(b.at, t.language) },
    { key: 'file', title: t('file'), by: (b) => b.file, cell: (b) => <code>{b.file}</code> },
    { key: 'bytes', title: t('size'), by: (b) => b.bytes, cell: (b) => bytes(b.bytes, t.language), figure: true },
    {
      key: 'actions',
      title: t('actions'),
      cell: (b) => (
        <div class="actions">
          <a class="button small" href={served(`/api/backups/${encodeURIComponent(b.file)}`)} download={b.file}>
            {t('download')}
          </a>
          <button type="button" class="small" onClick={() => ask('restore', { name: b.file, file: b.file }, loading.again)}>
            {t('restore')}
          </button>
          <button type="button" class="small risky" onClick={() => ask('deleteBackup', { name: b.file, file: b.file }, loading.again)}>
            {t('delete')}
          </button>
        </div>
      ),
    },
  ];
  const keep = async () => {
    try {
      await perform('backup-keep');
      tell(t('databaseKept'));
      loading.again();
    } catch (cause) {
      tell(explain(cause, t), true);
    }
  };
  const make = async () => {
    setBusy(true);
    try {
      const { path } = await perform<{ path: string }>('db-backup');
      tell(t('backupMade', { file: path.replace(/.*[\\/]/, '') }));
      loading.again();
    } catch (cause) {
      tell(explain(cause, t), true);
    }
    setBusy(false);
  };
  return (
    <>
      <div class="head">
        <h1>{t('backups')}</h1>
        <button type="button" class="main" disabled={busy} onClick={make}>
          {t(busy ? 'backupBusy' : 'backupNow')}
        </button>
      </div>
      <Loaded from={loading}>
        {(all) => (
          <>
            {all.restore && (
              <p class="warning bar-note">
                {t('restoreWaits', { file: all.restore })}
                <button type="button" class="small" onClick={keep}>
                  {t('keepDatabase')}
                </button>
              </p>
            )}
            {all.failure && (
              <p class="trouble" role="alert">
                {t('backupFailed', { why: all.failure })}
              </p>
            )}
            <p class="hint">{t('backupFolder', { folder: all.folder })}</p>
            <Table label={t('backups')} columns={columns} rows={all.backups} id={(b) => b.file} first={{ key: 'at', down: true }} empty={t('noBackups')} />
          </>
        )}
      </Loaded>
    </>
  );
}
