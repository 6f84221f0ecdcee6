import { useState } from 'preact/hooks';
import type { LogLine } from '../answers';
import { clock, moment } from '../format';
import { useWords, type Language } from '../i18n';
import { log } from '../live';
import { Flow } from '../parts/flow';
import { Search } from '../parts/search';
import { Recording } from '../recording';
import { useStore } from '../store';

const levels = ['debug', 'info', 'warn', 'error'];

/** The words of a line in a language; own is false where the log has none in it. */
export function wordsOf(line: LogLine, language: Language) {
  const russian = language === 'ru' ? line.russian : undefined;
  return { ...(russian ?? { message: line.message, attrs: line.attrs }), own: language === 'en' || russian !== undefined };
}

/** Whether a line is at least of a level and has a text in it, in either language. */
export function passes(line: LogLine, least: string, search: string): boolean {
  const text = search.trim().toLowerCase();
  const level = levels.findIndex((l) => line.level.toLowerCase().startsWith(l));
  if (level >= 0 && level < levels.indexOf(least)) return false;
  return text === '' || [line, line.russian ?? line].flatMap((l) => [l.message, ...Object.entries(l.attrs ?? {}).flat()]).some((v) => v.toLowerCase().includes(text));
}

export function LogPage() {
  const t = useWords();
  const lines = useStore(log);
  const [least, setLeast] = useState('debug');
  const [search, setSearch] = useState('');
  const shown = lines.filter((line) => passes(line, least, search));
  return (
    <div class="fill">
      <div class="head">
        <h1>{t('log')}</h1>
        <Search label={t('searchLog')} value={search} change={setSearch} />
        <select aria-label={t('leastLevel')} value={least} onChange={(e) => setLeast(e.currentTarget.value)}>
          {levels.map((l) => (
            <option key={l} value={l}>
              {t.named('level', l)}
            </option>
          ))}
        </select>
        <Recording />
      </div>
      {shown.some((line) => !wordsOf(line, t.language).own) && <p class="hint">{t('logForeign')}</p>}
      <Flow label={t('log')} length={shown.length} empty={t('noLog')}>
        {shown.map((line, i) => {
          const said = wordsOf(line, t.language);
          return (
            <li key={line.number ?? i} class={`level-${line.level.toLowerCase()}`}>
              <time dateTime={line.at} title={moment(line.at, t.language)}>
                {clock(line.at, t.language)}
              </time>
              <span class="channel">{t.named('line', line.level.toLowerCase())}</span>
              <span class="said" title={said.own && t.language !== 'en' ? line.message : undefined}>
                <span lang={said.own ? undefined : 'en'}>{said.message}</span>
                {Object.entries(said.attrs ?? {}).map(([k, v]) => (
                  <span class="attr" key={k}>
                    {' '}
                    <i>{k}</i>={v}
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </Flow>
    </div>
  );
}
