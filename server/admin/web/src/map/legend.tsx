import { useState } from 'preact/hooks';
import type { Heat } from '../answers';
import { dates, number, span } from '../format';
import { useWords } from '../i18n';
import { recall, remember } from '../remembered';
import { lastLevel } from './dens';
import { heatHours, heats, type HeatChoice, type HeatOf } from './heat';
import type { Sort } from './layer';

export const sorts: readonly Sort[] = ['player', 'monster', 'spawner', 'townsman', 'portal', 'place'];
/** What is shown until the user has chosen: all but what would lie over everything else. */
export const usual: readonly Sort[] = sorts.filter((s) => s !== 'spawner');

interface LegendProps {
  shown: Set<Sort>;
  change: (shown: Set<Sort>) => void;
  /** Whether tiles are shown. */
  relief: boolean;
  changeRelief: (on: boolean) => void;
  /** Whether they have the land of the area, and not only where players have walked. */
  ofLand: boolean;
  wanted: HeatChoice;
  want: (choice: HeatChoice) => void;
  heat: Heat | null;
}

/** What the signs of the map mean; each can be switched off. On a phone it is folded up, and lies over no town. */
export function Legend({ shown, change, relief, changeRelief, ofLand, wanted, want, heat }: LegendProps) {
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
        <label>
          <input type="checkbox" checked={relief} onChange={() => changeRelief(!relief)} />
          <span class="sign relief" aria-hidden="true" />
          {t('relief')}
        </label>
      </fieldset>
      <div class="heat-choice">
        <label>
          {t('heat')}
          <select value={wanted.of ?? ''} onChange={(e) => want({ ...wanted, of: heats.find((of) => of === e.currentTarget.value) ?? null })}>
            <option value="">{t('heat.none')}</option>
            {heats.map((of) => (
              <option key={of} value={of}>
                {t(`heat.${of}`)}
              </option>
            ))}
          </select>
        </label>
        {wanted.of && (
          <label>
            {t('heatWithin')}
            <select value={wanted.hours} onChange={(e) => want({ ...wanted, hours: Number(e.currentTarget.value) })}>
              {heatHours.map((hours) => (
                <option key={hours} value={hours}>
                  {t('heatHours', { n: hours })}
                </option>
              ))}
            </select>
          </label>
        )}
        {wanted.of && heat && <HeatScale of={wanted.of} heat={heat} />}
        {(shown.has('spawner') || shown.has('monster')) && (
          <p class="scale-line">
            {t('denLevels')} <span>1</span>
            <span class="scale levels" aria-hidden="true" />
            <span>{lastLevel}</span>
          </p>
        )}
      </div>
      <p>{t(ofLand ? 'sketchOfRoads' : 'sketch')}</p>
    </details>
  );
}

/** What the colours of heat mean. */
function HeatScale({ of, heat: { most, since, cell } }: { of: HeatOf; heat: Heat }) {
  const t = useWords();
  const l = t.language;
  const at = new Date(since).toLocaleString(dates[l], { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  if (most === 0) return <p role="status">{t('heatNothing', { at })}</p>;
  return (
    <p class="scale-line" role="status" title={t('heatMost', { cell, at })}>
      <span>0</span>
      <span class="scale heats" aria-hidden="true" />
      <span>{of === 'players' ? span(most, l) : number(most, l)}</span>
      <span class="unseen">{t('heatMost', { cell, at })}</span>
    </p>
  );
}
