import L from 'leaflet';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Geography, Heat, Monsters, Place, Region, SpawnerOff, Spawners, Townsman } from '../answers';
import { clock } from '../format';
import { say, useWords } from '../i18n';
import { heard, link, players, type LivePlayer } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { Icon } from '../parts/icon';
import { tell } from '../parts/notices';
import { recall, remember } from '../remembered';
import { href, parseRoute, route, type Route } from '../router';
import { useStore } from '../store';
import { dark } from '../theme';
import { readView, writeView, type View } from './address';
import { useChart, usePointer } from './chart';
import { renewed } from './choice';
import { apart } from './clusters';
import { readDens } from './dens';
import { Details } from './details';
import { readChoice, writeChoice, type HeatChoice } from './heat';
import { boxAround, herdSide, readMonsters, type Beast } from './monsters';
import { noted, TurnedOff } from './spawners';
import { heightNear, type Spot } from './spot';
import { SpotCard } from './spotcard';
import { withQuery } from '../api';
import { fromZoom, keyOf, shownAt, type Choice, type Scene, type SceneLayer, type Sort } from './layer';
import { Legend, sorts, usual } from './legend';
import { areaAt, fromLatLng, heightsOf, minZoom, toLatLng, type Heights } from './projection';
import { hasRelief, useRelief } from './relief';

const closeUp = 1; // zoom at which somebody is followed
const settled = 300; // ms from a movement of the map until the address names it

/** How the map was left, for whoever comes back to it from another page. */
let left: View | null = null;

export function MapPage() {
  const loading = useLoaded<Geography>('/api/map');
  return <Loaded from={loading}>{(geography) => <WorldMap geography={geography} />}</Loaded>;
}

/** Pixels at the lower edge of the map over which the legend lies, where it is as wide as the map. */
function belowMap(): number {
  const legend = document.querySelector<HTMLElement>('.legend');
  return legend && legend.offsetWidth > 300 ? legend.offsetHeight + 30 : 40;
}

function rememberedSorts(): Set<Sort> {
  const saved = recall('map.sorts');
  return new Set(saved === null ? usual : sorts.filter((s) => saved.split(' ').includes(s)));
}

function WorldMap({ geography }: { geography: Geography }) {
  const t = useWords();
  const everybody = useStore(players);
  const where = useStore(route);
  const state = useStore(link);
  const isDark = useStore(dark);
  const heights = useMemo(() => heightsOf(geography), [geography]);
  const [area, setArea] = useState(geography.areas[0]?.key ?? '');
  const [shown, setShown] = useState<Set<Sort>>(rememberedSorts);
  const [selected, setSelected] = useState<Choice | null>(null);
  const [follow, setFollow] = useState(false);
  const [relief, setRelief] = useState(() => recall('map.relief') !== 'off');
  const [spot, setSpot] = useState<Spot | null>(null);
  const [wanted, setWanted] = useState<HeatChoice>(() => readChoice(recall('map.heat')));
  const host = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const pointer = useRef<HTMLParagraphElement>(null);
  const chart = useRef<L.Map>(undefined);
  const layer = useRef<SceneLayer>(undefined);
  /** What an address wants to be chosen, until it is there. */
  const addressed = useRef<View | null>(null);
  const unplaced = useRef(true);
  const now = useRef({ area, selected, follow });
  now.current = { area, selected, follow };
  const inside = (key: string) => [...everybody.values()].filter((p) => areaAt(heights, p.y) === key);
  const here = inside(area);

  // What is in view, of which each monster is shown; from afar, empty: only how many there are.
  const [box, setBox] = useState('');
  const id = selected?.sort === 'monster' ? selected.monster.id : undefined;
  const beasts = useLoaded<Monsters>(shown.has('monster') ? withQuery('/api/monsters', box ? { area, box, id } : { area, cell: herdSide }) : null, box ? 5000 : 30_000);
  const monsters = useMemo(() => (beasts.value ? readMonsters(beasts.value) : []), [beasts.value]);

  const herds = beasts.value?.cells;
  const each = beasts.value && herds?.length === 0 ? monsters : undefined; // else they are not known each
  const off = useLoaded<SpawnerOff[]>(shown.has('monster') || shown.has('spawner') ? '/api/spawners' : null, 10_000);

  const from = useLoaded<Spawners>(shown.has('spawner') ? withQuery('/api/spawners/all', { area }) : null, 30_000);
  const dens = useMemo(() => (from.value ? readDens(from.value) : []), [from.value]);
  const warm = useLoaded<Heat>(wanted.of ? withQuery('/api/heat', { area, of: wanted.of, hours: wanted.hours }) : null, 10_000);
  const heat = (wanted.of && warm.value) || null;

  const nameOf = useCallback((v: Place | Region | Townsman | Beast) => t.both('label' in v ? v.label : v.name), [t]);
  const onLand = relief && hasRelief(geography, area);
  const scene: Scene = { geography, heights, area, shown, players: everybody, monsters, herds, off: off.value, dens, heat, spot, selected, nameOf, relief: onLand };

  const bounds = (key: string): L.LatLngBoundsExpression | undefined => {
    const b = geography.areas.find((a) => a.key === key)?.bounds;
    return b ? [toLatLng({ x: b[0], z: b[1] }), toLatLng({ x: b[2], z: b[3] })] : undefined;
  };
  /** Shows an area: as a whole, or around a point. */
  const open = (key: string, view?: View) => {
    unplaced.current = false;
    setArea(key);
    if (key !== now.current.area) setSpot(null);
    now.current.area = key;
    const map = chart.current!;
    map.invalidateSize({ pan: false });
    const whole = bounds(key);
    if (view?.centre) map.setView(toLatLng(view.centre), view.zoom ?? map.getZoom(), { animate: false });
    else if (whole) map.fitBounds(whole, { paddingBottomRight: [0, belowMap()], animate: false });
    else map.setView([0, 0], minZoom, { animate: false });
  };
  /** Shows where most players are. */
  const fitPlayers = (at: string) => {
    const all = inside(at);
    open(at);
    if (all.length) chart.current!.fitBounds(L.latLngBounds(all.map(toLatLng)), { padding: [50, 50], maxZoom: 0, animate: false });
  };
  const choose = (thing: Choice) => {
    const at = shownAt(thing, performance.now());
    setSelected(thing);
    open(areaAt(heights, at.y), { area: '', centre: at, zoom: Math.max(chart.current!.getZoom(), 0), follow: false });
  };

  useChart(host, chart, layer, scene, (thing, at) => {
    if (thing?.sort === 'cluster') split(chart.current!, thing.members);
    else setSelected(thing);
    setSpot(thing ? null : at);
  }, () => setFollow(false), setSpot);
  usePointer(chart, layer, host, tip, pointer, geography);
  useView(chart, setBox);
  useAddress(chart, now, () => !addressed.current, where, [area, keyOf(selected), follow]);

  // What the address names, at first and whenever it is changed.
  useEffect(() => {
    const view = readView(where, geography.areas.map((a) => a.key));
    const known = view.area || view.chosen ? view : unplaced.current ? left : null;
    if (!known) {
      if (unplaced.current) {
        open(area);
        unplaced.current = true; // until it is known where players are
      }
      return;
    }
    addressed.current = known.chosen ? known : null;
    if (known.area) open(known.area, known);
  }, [where]);
  useEffect(() => {
    if (!heard.value) return;
    const view = addressed.current;
    addressed.current = null;
    if (view) {
      const thing = find(geography, view);
      if (!thing) tell(say()('notOnMap'), true);
      else if (view.centre) setSelected(thing);
      else choose(thing);
      setFollow(thing !== null && view.follow);
    }
    if (!unplaced.current || !chart.current) return;
    unplaced.current = false;
    const most = [...countByArea(everybody, heights)].sort((a, b) => b[1] - a[1])[0];
    if (most) fitPlayers(most[0]);
  });

  useRelief(chart, geography, relief ? area : '', isDark);
  useEffect(() => layer.current?.show(scene));
  useEffect(() => layer.current?.recolour(), [isDark]);
  useEffect(() => remember('map.sorts', [...shown].join(' ')), [shown]);
  useEffect(() => remember('map.relief', relief ? null : 'off'), [relief]);
  useEffect(() => remember('map.heat', wanted.of && writeChoice(wanted)), [wanted]);

  // What was chosen is shown as it is now, but what was closed between a drawing and what follows it stays closed.
  useEffect(() => setSelected((was) => renewed(was, { players: players.value })));
  useEffect(() => setSelected((was) => {
    const now = renewed(was, { monsters: each });
    if (was?.sort === 'monster' && !now) tell(say()('monsterGone', { name: say().both(was.monster.name) }));
    return now;
  }), [monsters]);
  useEffect(() => setSelected((was) => renewed(was, { dens: from.value && dens })), [dens]);
  useFollowing(follow && selected?.sort === 'player' ? selected.player : undefined, chart, (at) => {
    const its = areaAt(heights, at.y);
    if (its !== now.current.area) setArea(its);
  });

  const height = useMemo(() => {
    if (!spot) return undefined;
    const still = [...geography.places, ...geography.townsfolk, ...geography.portals].filter((p) => p.area === area);
    return heightNear(spot, [...still, ...monsters, ...dens, ...inside(area)]);
  }, [spot]);

  const counts = countByArea(everybody, heights);
  const zoom = (by: number) => chart.current?.setZoom(chart.current.getZoom() + by);
  const lost = state === 'lost';
  const time = heard.value ? clock(new Date(heard.value).toISOString(), t.language) : '–';

  return (
    <div class={lost ? 'map-page stale' : 'map-page'}>
      <h1 class="unseen">{t('map')}</h1>
      <div class="areas" role="group" aria-label={t('areas')}>
        {geography.areas.map((a) => (
          <button key={a.key} type="button" aria-pressed={a.key === area} onClick={() => { setFollow(false); open(a.key); }}>
            {t.both(a.name)}
            {counts.get(a.key) ? <span class="badge">{counts.get(a.key)}</span> : null}
          </button>
        ))}
      </div>
      <div class="map-box">
        <div ref={host} class="map" role="application" aria-label={t('mapLabel')} tabIndex={0} data-area={area} onKeyDown={(e) => e.key === 'Enter' && setSpot(fromLatLng(chart.current!.getCenter()))} />
        <div ref={tip} class="tip" hidden aria-hidden="true" />
        <p ref={pointer} class="spot" hidden aria-hidden="true" />
        <div class="zoom">
          <button type="button" aria-label={t('zoomIn')} onClick={() => zoom(1)}>+</button>
          <button type="button" aria-label={t('zoomOut')} onClick={() => zoom(-1)}>−</button>
          <button type="button" aria-label={t('wholeArea')} title={t('wholeArea')} onClick={() => open(area)}><Icon name="home" /></button>
          <button type="button" aria-label={t('fitPlayers')} title={t('fitPlayers')} disabled={here.length === 0} onClick={() => fitPlayers(area)}><Icon name="online" /></button>
        </div>
        <Legend shown={shown} change={setShown} relief={relief} changeRelief={setRelief} ofLand={onLand} wanted={wanted} want={setWanted} heat={heat} />
        {spot && <SpotCard key={`${spot.x} ${spot.z}`} spot={spot} area={area} near={height} changed={() => setTimeout(beasts.again, noted)} close={() => setSpot(null)} />}
        <p class="compass" aria-hidden="true">{t('north')}</p>
        {lost && <p class="as-of" role="status">{t('mapAsOf', { at: time })}</p>}
      </div>
      <aside class="map-side" aria-label={t('mapSide')}>
        {selected ? (
          <Details
            key={keyOf(selected)}
            thing={selected}
            geography={geography}
            following={follow}
            follow={setFollow}
            off={off.value ?? []}
            changed={() => { beasts.again(); from.again(); off.again(); }}
            go={(at) => { setSelected(null); open(at.area, { area: '', centre: at, zoom: Math.max(chart.current!.getZoom(), 0), follow: false }); setSpot(at); }}
            close={() => { setFollow(false); setSelected(null); }}
          />
        ) : (
          <>
            {shown.has('monster') && <TurnedOff monsters={beasts.value?.count ?? 0} off={off.value ?? []} again={off.again} />}
            <Inside players={here} asOf={lost ? time : ''} choose={choose} />
          </>
        )}
      </aside>
    </div>
  );
}

/** Writes into the address what the map shows, without a step in the browser's history. */
function useAddress(
  chart: { current: L.Map | undefined },
  now: { current: { area: string; selected: Choice | null; follow: boolean } },
  ready: () => boolean,
  where: Route,
  changes: unknown[],
): void {
  const timer = useRef<number>(undefined);
  /** The address that is shown: where it is another, somebody is on the way there. */
  const known = useRef('');
  const write = () => {
    timer.current = undefined;
    const map = chart.current;
    if (!map || location.hash !== known.current || parseRoute(location.hash).page !== 'map') return;
    if (!ready()) {
      later();
      return;
    }
    const { area, selected, follow } = now.current;
    left = { area, centre: fromLatLng(map.getCenter()), zoom: map.getZoom(), follow };
    if (selected && selected.sort !== 'monster' && selected.sort !== 'spawner') left.chosen = { sort: selected.sort, key: selected.sort === 'player' ? String(selected.player.character) : keyOf(selected).split(' ')[1]! };
    const address = writeView(left);
    if (location.hash !== address) history.replaceState(null, '', address);
    known.current = location.hash;
  };
  const later = () => {
    timer.current ??= window.setTimeout(write, settled);
  };
  useEffect(() => {
    chart.current!.on('moveend', later);
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(() => {
    known.current = location.hash;
  }, [where]);
  useEffect(later, [...changes, where]);
}

/** Tells which part of the map is in view, as soon as it is so near that each monster is seen; else an empty text. */
function useView(chart: { current: L.Map | undefined }, tell: (box: string) => void): void {
  useEffect(() => {
    const map = chart.current!;
    const look = () => {
      const bounds = map.getBounds();
      tell(map.getZoom() < fromZoom.monsters ? '' : boxAround(bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()));
    };
    map.on('moveend resize', look);
    look();
  }, []);
}

/** Keeps somebody in the middle of the map. */
function useFollowing(one: LivePlayer | undefined, chart: { current: L.Map | undefined }, seen: (at: { y: number }) => void): void {
  useEffect(() => {
    if (!one) return undefined;
    let frame = 0;
    const step = (time: number) => {
      const player = players.value.get(one.id);
      const map = chart.current;
      if (!player || !map) return;
      const at = shownAt({ sort: 'player', player }, time);
      seen(at);
      const to = toLatLng(at);
      const away = map.latLngToContainerPoint(to).subtract(map.getSize().divideBy(2));
      if (Math.hypot(away.x, away.y) >= 0.5) map.setView(to, map.getZoom(), { animate: false });
      frame = requestAnimationFrame(step);
    };
    if (chart.current && chart.current.getZoom() < closeUp) chart.current.setView(toLatLng(one), closeUp, { animate: false });
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [one?.id]);
}

/** Comes so near that those who stand together are apart. */
function split(map: L.Map, members: LivePlayer[]): void {
  const now = performance.now();
  const bounds = L.latLngBounds(members.map((player) => toLatLng(shownAt({ sort: 'player', player }, now))));
  const zoom = map.getBoundsZoom(bounds, false, L.point(80, 80));
  map.setView(bounds.getCenter(), Math.min(apart, Math.max(map.getZoom() + 1, zoom)), { animate: false });
}

/** What a view names as chosen. */
function find(geography: Geography, { chosen }: View): Choice | null {
  if (!chosen) return null;
  const { sort, key } = chosen;
  const [player] = [...players.value.values()].filter((p) => sort === 'player' && String(p.character) === key);
  const named = <T extends { key: string }>(all: T[], its: Sort) => (sort === its ? all.find((v) => v.key === key) : undefined);
  const townsman = named(geography.townsfolk, 'townsman');
  const portal = named(geography.portals, 'portal');
  const place = named(geography.places, 'place');
  if (player) return { sort: 'player', player };
  if (townsman) return { sort: 'townsman', townsman };
  if (portal) return { sort: 'portal', portal };
  return place ? { sort: 'place', place } : null;
}

function countByArea(all: ReadonlyMap<number, LivePlayer>, heights: Heights): Map<string, number> {
  const counts = new Map<string, number>();
  for (const p of all.values()) {
    const its = areaAt(heights, p.y);
    counts.set(its, (counts.get(its) ?? 0) + 1);
  }
  return counts;
}

const listed = 200;
const order = new Intl.Collator();

/** Who is in the area that is shown: the way to the players for those who do not point. */
function Inside({ players: all, asOf, choose }: { players: LivePlayer[]; asOf: string; choose: (t: Choice) => void }) {
  const t = useWords();
  const shown = [...all].sort((a, b) => order.compare(a.name, b.name)).slice(0, listed);
  return (
    <>
      <h2>{t.count('hereNow', all.length)}</h2>
      {asOf && <p class="hint">{t('mapAsOf', { at: asOf })}</p>}
      <ul class="inside">
        {shown.map((p) => (
          <li key={p.id}>
            <button type="button" onClick={() => choose({ sort: 'player', player: p })}>
              {p.name} <small>{Math.round(p.x)}, {Math.round(p.z)}</small>
            </button>
          </li>
        ))}
      </ul>
      {all.length > listed && (
        <p class="hint">
          {t.count('moreHere', all.length - listed)}: <a href={href('online')}>{t('online')}</a>
        </p>
      )}
      {all.length === 0 && <p class="hint">{t('nobodyHere')}</p>}
    </>
  );
}
