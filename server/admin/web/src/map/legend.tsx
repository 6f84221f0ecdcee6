import { useState } from 'preact/hooks';
import { useWords } from '../i18n';
import { recall, remember } from '../remembered';
import type { Sort } from './layer';

export const sorts: readonly Sort[] = ['player', 'monster', 'townsman', 'portal', 'place'];

/** What the signs of the map mean; each can be switched off. On a phone it is folded up, and lies over no town. */
export function Legend({ shown, change }: { shown: Set<Sort>; change: (shown: Set<Sort>) => void }) {
  const t = useWords();
  const [open] = useState(() => (recall('map.legend') ?? (matchMedia('(max-width: 760px)').matches ? 'shut' : 'open')) === 'open');
  const toggle = (sort: Sort) => {
    const now = new Set(shown);
    if (!now.delete(sort)) now.add(sort);
    change(now);
  };
  return (
    <details class="legend" open={open} onToggle={(e) => remember('map.legend', e.currentTarget.open ? 'open' : 'shut')}>
      <summary>{t('legend')}</summary>
      <fieldset>
        <legend class="unseen">{t('legend')}</legend>
        {sorts.map((sort) => (
          <label key={sort}>
            <input type="checkbox" checked={shown.has(sort)} onChange={() => toggle(sort)} />
            <span class={`sign ${sort}`} aria-hidden="true" />
            {t(`sort.${sort}`)}
          </label>
        ))}
      </fieldset>
      <p>{t('sketch')}</p>
    </details>
  );
}
