import L from 'leaflet';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Geography, Place, PublicOnline, Region, Townsman } from '../answers';
import { useWords } from '../i18n';
import type { LivePlayer } from '../live';
import { useChart, usePointer } from '../map/chart';
import { keyOf, type Choice, type Scene, type SceneLayer, type Sort, type Thing } from '../map/layer';
import { heightsOf, minZoom, toLatLng } from '../map/projection';
import { hasRelief, useRelief } from '../map/relief';
import { tipOf } from '../map/tip';
import { Icon } from '../parts/icon';
import { useStore } from '../store';
import { dark } from '../theme';
import { capital } from './app';
import { period, walkers } from './walkers';

const still: readonly Sort[] = ['townsman', 'portal', 'place'];

/** What is told of a thing; of a player whose name is not shown, no more than that he is there. */
const told: typeof tipOf = (thing, geography, t) => {
  if (thing.sort === 'player' && thing.player.level.title === 0) return [capital(thing.player.name), ''];
  if (thing.sort === 'cluster' && thing.members.every((p) => p.level.title === 0)) return [t.count('together', thing.members.length), ''];
  return tipOf(thing, geography, t);
};

/** The world as everybody may know it. */
export function PublicMap({ geography, online, players }: { geography: Geography; online: PublicOnline | undefined; players: boolean }) {
  const t = useWords();
  const isDark = useStore(dark);
  const heights = useMemo(() => heightsOf(geography), [geography]);
  const [area, setArea] = useState(() => online?.areas[0]?.area || geography.areas[0]?.key || '');
  const sorts = players ? (['player', ...still] as const) : still;
  const [hidden, setHidden] = useState<ReadonlySet<Sort>>(new Set());
  const [relief, setRelief] = useState(true);
  const [selected, setSelected] = useState<Choice | null>(null);
  const walking = useRef<Map<number, LivePlayer>>(new Map());
  const host = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const spot = useRef<HTMLParagraphElement>(null);
  const chart = useRef<L.Map>(undefined);
  const layer = useRef<SceneLayer>(undefined);

  const everybody = useMemo(() => {
    // Who wants no motion sees players where they are told to be.
    const lasts = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : period;
    walking.current = walkers(players ? (online?.players ?? []) : [], walking.current, performance.now(), lasts, t('public.somebody'));
    return walking.current;
  }, [online, players, t]);
  const nameOf = (v: Place | Region | Townsman | { name: { ru: string; en: string } }) => t.both('label' in v ? v.label : v.name);
  const shown = new Set(sorts.filter((s) => !hidden.has(s)));
  const scene: Scene = { geography, heights, area, shown, players: everybody, monsters: [], selected, nameOf, relief: relief && hasRelief(geography, area) };

  const open = (key: string) => {
    setArea(key);
    const bounds = geography.areas.find((a) => a.key === key)?.bounds;
    const map = chart.current!;
    map.invalidateSize({ pan: false });
    if (bounds) map.fitBounds([toLatLng({ x: bounds[0], z: bounds[1] }), toLatLng({ x: bounds[2], z: bounds[3] })], { animate: false });
    else map.setView([0, 0], minZoom, { animate: false });
  };
  const choose = (thing: Choice & { sort: 'place' }) => {
    setSelected(thing);
    chart.current!.setView(toLatLng(thing.place), Math.max(chart.current!.getZoom(), -1), { animate: false });
  };
  useChart(host, chart, layer, scene, (thing) => {
    if (thing?.sort === 'cluster') chart.current!.setView(toLatLng(thing), chart.current!.getZoom() + 1.5, { animate: false });
    else setSelected(thing);
  }, () => {});
  usePointer(chart, layer, host, tip, spot, geography, told);
  useEffect(() => {
    open(area);
    mindTheWheel(chart.current!);
  }, []);
  useRelief(chart, geography, relief ? area : '', isDark);
  useEffect(() => layer.current?.show(scene));
  useEffect(() => layer.current?.recolour(), [isDark]);
  // Somebody who was chosen and has gone is shown no longer.
  useEffect(
    () =>
      setSelected((was) => {
        if (was?.sort !== 'player') return was;
        const player = [...everybody.values()].find((p) => p.name === was.player.name && p.level.title > 0);
        if (player === was.player) return was;
        return player ? { sort: 'player', player } : null;
      }),
    [everybody],
  );

  const zoom = (by: number) => chart.current?.setZoom(chart.current.getZoom() + by);
  const places = geography.places.filter((p) => p.area === area);
  const crowd = new Map(online?.areas.map((a) => [a.area, a.online]));
  return (
    <section class="card chart" aria-label={t('public.map')}>
      <div class="areas" role="group" aria-label={t('areas')}>
        {geography.areas.map((a) => (
          <button key={a.key} type="button" aria-pressed={a.key === area} onClick={() => { setSelected(null); open(a.key); }}>
            {t.both(a.name)}
            {crowd.get(a.key) ? <span class="badge">{crowd.get(a.key)}</span> : null}
          </button>
        ))}
      </div>
      <div class="map-box">
        <div ref={host} class="map" role="application" aria-label={t('public.mapLabel')} tabIndex={0} data-area={area} />
        <div ref={tip} class="tip" hidden aria-hidden="true" />
        <p ref={spot} class="spot" hidden aria-hidden="true" />
        <div class="zoom">
          <button type="button" aria-label={t('zoomIn')} onClick={() => zoom(1)}>+</button>
          <button type="button" aria-label={t('zoomOut')} onClick={() => zoom(-1)}>−</button>
          <button type="button" aria-label={t('wholeArea')} title={t('wholeArea')} onClick={() => open(area)}><Icon name="home" /></button>
        </div>
        <p class="compass" aria-hidden="true">{t('north')}</p>
      </div>
      <fieldset class="signs">
        <legend class="unseen">{t('legend')}</legend>
        {sorts.map((sort) => (
          <label key={sort}>
            <input type="checkbox" checked={!hidden.has(sort)} onChange={() => setHidden(toggled(hidden, sort))} />
            <span class={`sign ${sort}`} aria-hidden="true" />
            {t(`sort.${sort}`)}
          </label>
        ))}
        <label>
          <input type="checkbox" checked={relief} onChange={() => setRelief(!relief)} />
          <span class="sign relief" aria-hidden="true" />
          {t('relief')}
        </label>
      </fieldset>
      <p class="chosen" aria-live="polite">
        {selected ? <Chosen thing={selected} geography={geography} /> : t('public.click')}
      </p>
      {places.length > 0 && (
        <details class="places">
          <summary>{t('public.places')}</summary>
          <ul>
            {places.map((p) => (
              <li key={p.key}>
                <button type="button" class="small" aria-pressed={keyOf(selected) === `place ${p.key}`} onClick={() => choose({ sort: 'place', place: p })}>
                  {capital(t.both(p.name))}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** What was clicked, in a line. */
function Chosen({ thing, geography }: { thing: Thing; geography: Geography }) {
  const t = useWords();
  const [title, detail] = told(thing, geography, t);
  const at = thing.sort === 'player' ? thing.player : thing.sort === 'place' ? thing.place : thing.sort === 'portal' ? thing.portal : thing.sort === 'townsman' ? thing.townsman : null;
  return (
    <>
      <strong>{title}</strong> {['', detail, at && `x ${Math.round(at.x)} · z ${Math.round(at.z)}`].filter((part, i) => i === 0 || part).join(' · ')}
    </>
  );
}

function toggled(hidden: ReadonlySet<Sort>, sort: Sort): ReadonlySet<Sort> {
  const now = new Set(hidden);
  if (!now.delete(sort)) now.add(sort);
  return now;
}

/** The wheel moves the page until somebody has turned to the map: it is a part of a longer page. */
function mindTheWheel(map: L.Map): void {
  map.scrollWheelZoom.disable();
  map.on('click dragstart focus', () => map.scrollWheelZoom.enable());
  map.on('mouseout blur', () => map.scrollWheelZoom.disable());
}
