import { useEffect, useRef, useState } from 'preact/hooks';
import type { BalanceFile, Change, Changes } from '../answers';
import { perform } from '../api';
import { useWords } from '../i18n';
import { ChangeList } from '../parts/changelist';
import { explain } from '../parts/loaded';
import { tell } from '../parts/notices';
import { href } from '../router';

/** Where the first fault of a file is that a refusal tells of: "balance.toml:12:3: …" is line 12; 0 for none. */
export function faultyLine(message: string): number {
  return Number(/balance\.toml:(\d+):\d+: /.exec(message)?.[1] ?? 0);
}

/** Where a line of a text begins and ends; lines count from 1. */
export function lineAt(text: string, line: number): [from: number, to: number] {
  let from = 0;
  for (let n = 1; n < line; n++) from = text.indexOf('\n', from) + 1 || text.length;
  const to = text.indexOf('\n', from);
  return [from, to < 0 ? text.length : to];
}

/** What is being edited, kept while the reader looks at other pages. */
let draft: { file: BalanceFile; opened: string; text: string } | null = null;

/** The balance file as a text. Nothing is written before the reader has seen what it changes. */
export function BalancePage() {
  const t = useWords();
  const [edited, setEdited] = useState(draft);
  const [foreseen, setForeseen] = useState<Change[] | null>(null);
  const [trouble, setTrouble] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const keep = (next: typeof draft) => {
    draft = next;
    setEdited(next);
    setForeseen(null);
  };
  const attempt = async (work: () => Promise<void>) => {
    setTrouble('');
    try {
      await work();
    } catch (cause) {
      const why = explain(cause, t);
      setForeseen(null);
      setTrouble(why);
      const line = faultyLine(why);
      if (line && area.current) show(area.current, line);
    }
  };
  const open = () =>
    attempt(async () => {
      const file = await perform<BalanceFile>('balance-show');
      const opened = file.sample ? t.both(file.sample) : file.text;
      keep({ file, opened, text: opened });
    });
  useEffect(() => {
    if (!draft) void open();
  }, []);
  const send = (check: boolean) => perform<Changes>('balance-set', { text: edited!.text, sum: edited!.file.sum, check });
  const look = () => attempt(async () => setForeseen((await send(true)).changes));
  const apply = () =>
    attempt(async () => {
      const { changes } = await send(false);
      tell(changes.length ? t.count('changed', changes.length) : t('balanceWritten'));
      await open();
    });
  const same = edited?.text === edited?.opened;
  return (
    <div class="fill balance">
      <div class="head">
        <h1>{t('balanceFile')}</h1>
        <a href={href('config')}>{t('config')}</a>
        <button type="button" onClick={open}>
          {t(same ? 'balanceOpen' : 'balanceDrop')}
        </button>
      </div>
      <p class="hint">{t('balanceHint')}</p>
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {!edited && !trouble && <p class="waiting">{t('loading')}</p>}
      {edited && (
        <>
          <textarea
            ref={area}
            aria-label={t('balanceFile')}
            spellcheck={false}
            autocomplete="off"
            wrap="off"
            value={edited.text}
            onInput={(e) => keep({ ...edited, text: e.currentTarget.value })}
          />
          {foreseen && (
            <div class="card" role="status">
              <p class="explains">{t(foreseen.length ? 'reloadExplains' : 'balanceRemarks')}</p>
              <ChangeList changes={foreseen} />
            </div>
          )}
          <div class="buttons">
            {foreseen && !same ? (
              <button type="button" class="main" onClick={apply}>
                {t('reloadNow')}
              </button>
            ) : (
              <button type="button" class="main" disabled={same} onClick={look}>
                {t('balanceLook')}
              </button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Selects a line and brings it into sight. */
function show(area: HTMLTextAreaElement, line: number): void {
  const [from, to] = lineAt(area.value, line);
  area.focus();
  area.setSelectionRange(from, to);
  const lines = area.value.split('\n').length;
  area.scrollTop = (area.scrollHeight * (line - 1)) / lines - area.clientHeight / 2;
}
