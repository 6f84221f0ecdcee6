import { useState } from 'preact/hooks';
import type { Change, Changes, Setting } from '../answers';
import { perform, post } from '../api';
import { useWords, type Speech } from '../i18n';
import { ChangeList } from '../parts/changelist';
import { Field } from '../parts/field';
import { Form, Select } from '../parts/form';
import { explain, Loaded, useLoaded } from '../parts/loaded';
import { tell } from '../parts/notices';
import { Search } from '../parts/search';
import { Nothing } from '../parts/table';
import { href, route } from '../router';
import { useStore } from '../store';
import { BalancePage } from './balance';
import { Rates } from './rates';

/** The settings by the table of the file that they stand in, in the order of the file. */
export function byTable(all: readonly Setting[]): [table: string, settings: Setting[]][] {
  const tables = new Map<string, Setting[]>();
  for (const s of all) {
    const table = s.key.split('.')[0]!;
    const known = tables.get(table);
    if (known) known.push(s);
    else tables.set(table, [s]);
  }
  return [...tables];
}

/** Where a value comes from: "file /srv/sphere.toml:12" with its first word in the language of the page. */
export function sourceOf(source: string, t: Speech): string {
  const [from = '', ...rest] = source.split(' ');
  return [t.named('source', from), ...rest].join(' ');
}

/** The settings, or the balance file where the address says so. */
export function ConfigPage() {
  return useStore(route).id === 'balance' ? <BalancePage /> : <SettingsPage />;
}

function SettingsPage() {
  const t = useWords();
  const loading = useLoaded<Setting[]>('/api/config');
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<Setting | null>(null);
  const text = search.trim().toLowerCase();
  const fits = (s: Setting) => [s.key, s.value, t.both(s.doc)].some((v) => v.toLowerCase().includes(text));
  // What the files say that does not count yet, once somebody has asked.
  const [changed, setChanged] = useState<Change[] | null>(null);
  const look = async () => {
    try {
      const { changes } = await perform<Changes>('config-reload', { check: true });
      if (changes.length) setChanged(changes);
      else tell(t('nothingChanged'));
    } catch (cause) {
      tell(explain(cause, t), true);
    }
  };
  const reload = async () => {
    const done = await perform<Changes>('config-reload', {});
    setChanged(null);
    report(done);
  };
  const report = ({ changes }: Changes) => {
    const waits = changes.some((c) => c.restart);
    tell(changes.length ? `${t.count('changed', changes.length)}${waits ? ` ${t('countsLater')}` : ''}` : t('nothingChanged'));
    loading.again();
  };
  return (
    <>
      <div class="head">
        <h1>{t('config')}</h1>
        <Search label={t('searchConfig')} value={search} change={setSearch} />
        <button type="button" onClick={look}>
          {t('reload')}
        </button>
        <a class="button" href={href('config', 'balance')}>
          {t('balanceFile')}
        </a>
      </div>
      <p class="hint">{t('configHint')}</p>
      <Rates />
      <Loaded from={loading}>
        {(all) => (
          <>
            <Waiting all={all} />
            {!all.some(fits) && <Nothing search={search} clear={() => setSearch('')} />}
            {byTable(all.filter(fits)).map(([table, settings]) => (
              <section class="settings" key={table}>
                <h2>
                  {t.both(settings[0]!.heading)} <code>[{table}]</code>
                </h2>
                <ul>
                  {settings.map((s) => (
                    <SettingRow key={s.key} setting={s} edit={() => setEdited(s)} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )}
      </Loaded>
      {changed && (
        <Form title={t('reload')} close={() => setChanged(null)} submit={reload} action={t('reloadNow')}>
          {() => (
            <>
              <p class="explains">{t('reloadExplains')}</p>
              <ChangeList changes={changed} />
            </>
          )}
        </Form>
      )}
      {edited && <SettingForm setting={edited} close={() => setEdited(null)} done={report} />}
    </>
  );
}

/** A value as people read it. */
function shownValue(s: Setting, value: string, t: Speech): string {
  if (value === '') return t('emptyValue');
  return s.kind === 'switch' ? t(value === 'true' ? 'yes' : 'no') : value;
}

/** What the file says that counts after a restart, in one place. */
function Waiting({ all }: { all: readonly Setting[] }) {
  const t = useWords();
  const waiting = all.filter((s) => s.waits !== undefined);
  if (waiting.length === 0) return null;
  return (
    <p class="warning bar-note" role="status">
      {t.count('restartNeeded', waiting.length)} {waiting.map((s) => s.key).join(', ')}
    </p>
  );
}

function SettingRow({ setting: s, edit }: { setting: Setting; edit: () => void }) {
  const t = useWords();
  return (
    <li>
      <div class="setting-name">
        <code>{s.key}</code> {!s.reloadable && <span class="badge">{t('afterRestart')}</span>}
        <p>{t.both(s.doc)}</p>
      </div>
      <div class="setting-value">
        <code class={s.value === s.default ? undefined : 'changed'}>{shownValue(s, s.value, t)}</code>
        {s.waits !== undefined && <span class="badge warn">{t('waitsValue', { value: shownValue(s, s.waits, t) })}</span>}
        <small>
          {sourceOf(s.source, t)}
          {s.value !== s.default && <> · {t('defaultIs', { value: shownValue(s, s.default, t) })}</>}
        </small>
      </div>
      <div>
        {s.fixed ? (
          <small>{t(s.fixed === 'owner' ? 'fixedOwner' : 'fixedStronger')}</small>
        ) : (
          <button type="button" class="small" onClick={edit} aria-label={t('changeKey', { key: s.key })}>
            {t('change')}
          </button>
        )}
      </div>
    </li>
  );
}

function SettingForm({ setting: s, close, done }: { setting: Setting; close: () => void; done: (c: Changes) => void }) {
  const t = useWords();
  const [value, setValue] = useState(s.waits ?? s.value);
  const submit = async () => {
    const changes = await post<Changes>('/api/config', { key: s.key, value });
    close();
    done(changes);
  };
  const useDefault = (
    <button type="button" onClick={() => setValue(s.default)}>
      {t('useDefault')}
    </button>
  );
  const range = s.min || s.max ? t('range', { min: s.min ?? '…', max: s.max ?? '…' }) : undefined;
  const kindHint = s.kind === 'duration' ? t('durationHint') : s.kind === 'list' ? t('listHint') : undefined;
  const options = s.oneOf?.length ? s.oneOf : s.kind === 'switch' ? ['true', 'false'] : undefined;
  return (
    <Form title={s.key} close={close} submit={submit} action={t('save')} more={useDefault}>
      {(wrong) => (
        <>
          <p class="explains">{t.both(s.doc)}</p>
          <p class="warning">{s.reloadable ? t('configLoses', { value: shownValue(s, s.value, t) }) : t('configLater')}</p>
          <Field label={t('value')} hint={range ?? kindHint} error={wrong.value ?? wrong.key}>
            {(p) =>
              options ? (
                <Select {...p} value={value} change={setValue} options={options.map((o) => [o, shownValue(s, o, t)])} />
              ) : (
                <input {...p} type="text" autocomplete="off" spellcheck={false} value={value} onInput={(e) => setValue(e.currentTarget.value)} />
              )
            }
          </Field>
        </>
      )}
    </Form>
  );
}
