import L from 'leaflet';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Geography, Monsters, Place, Region, Townsman } from '../answers';
import { clock } from '../format';
import { say, useWords } from '../i18n';
import { heard, link, players, type LivePlayer } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { Icon } from '../parts/icon';
import { tell } from '../parts/notices';
import { recall, remember } from '../remembered';
import { parseRoute, route } from '../router';
import { useStore } from '../store';
import { dark } from '../theme';
import { readView, writeView, type View } from './address';
import { apart } from './clusters';
import { Details } from './details';
import { readMonsters, type Beast } from './monsters';
import { TurnedOff } from './spawners';
import { withQuery } from '../api';
import { keyOf, SceneLayer, shownAt, type Choice, type Scene, type Sort, type Thing } from './layer';
import { Legend, sorts } from './legend';
import { areaAt, fromLatLng, heightsOf, maxZoom, minZoom, toLatLng, type Heights } from './projection';
import { tipOf } from './tip';

const closeUp = 1; // zoom at which somebody is followed
const settled = 300; // ms from a movement of the map until the address names it

/** How the map was left, for whoever comes back to it from another page. */
let left: View | null = null;

export function MapPage() {
  const loading = useLoaded<Geography>('/api/map');
  return <Loaded from={loading}>{(geography) => <WorldMap geography={geography} />}</Loaded>;
}

function rememberedSorts(): Set<Sort> {
  const saved = recall('map.sorts');
  return new Set(saved === null ? sorts : sorts.filter((s) => saved.split(' ').includes(s)));
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
  const host = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const spot = useRef<HTMLParagraphElement>(null);
  const chart = useRef<L.Map>(undefined);
  const layer = useRef<SceneLayer>(undefined);
  /** What an address wants to be chosen, until it is there. */
  const wanted = useRef<View | null>(null);
  const unplaced = useRef(true);
  const now = useRef({ area, selected, follow });
  now.current = { area, selected, follow };
  const inside = (key: string) => [...everybody.values()].filter((p) => areaAt(heights, p.y) === key);
  const here = inside(area);

  const beasts = useLoaded<Monsters>(shown.has('monster') ? withQuery('/api/monsters', { area }) : null, 5000);
  const monsters = useMemo(() => (beasts.value ? readMonsters(beasts.value) : []), [beasts.value]);

  const nameOf = (v: Place | Region | Townsman | Beast) => t.both('label' in v ? v.label : v.name);
  const scene: Scene = { geography, heights, area, shown, players: everybody, monsters, selected, nameOf };

  const bounds = (key: string): L.LatLngBoundsExpression | undefined => {
    const b = geography.areas.find((a) => a.key === key)?.bounds;
    return b ? [toLatLng({ x: b[0], z: b[1] }), toLatLng({ x: b[2], z: b[3] })] : undefined;
  };
  /** Shows an area: as a whole, or around a point. */
  const open = (key: string, view?: View) => {
    unplaced.current = false;
    setArea(key);
    now.current.area = key;
    const map = chart.current!;
    map.invalidateSize({ pan: false });
    const whole = bounds(key);
    if (view?.centre) map.setView(toLatLng(view.centre), view.zoom ?? map.getZoom(), { animate: false });
    else if (whole) map.fitBounds(whole, { paddingBottomRight: [0, 40], animate: false }); // the legend lies there
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

  useChart(host, chart, layer, scene, (thing) => {
    if (thing?.sort !== 'cluster') setSelected(thing);
    else split(chart.current!, thing.members);
  }, () => setFollow(false));
  usePointer(chart, layer, host, tip, spot, geography);
  useAddress(chart, now, () => !wanted.current, [area, keyOf(selected), follow, where]);

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
    wanted.current = known.chosen ? known : null;
    if (known.area) open(known.area, known);
  }, [where]);
  useEffect(() => {
    if (!heard.value) return;
    const view = wanted.current;
    wanted.current = null;
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

  useEffect(() => layer.current?.show(scene));
  useEffect(() => layer.current?.recolour(), [isDark]);
  useEffect(() => remember('map.sorts', [...shown].join(' ')), [shown]);

  // Somebody who was chosen and has gone is shown no longer; who has come back is another player, but the same character.
  useEffect(() => {
    if (selected?.sort !== 'player') return;
    const { id, character } = selected.player;
    const one = everybody.get(id) ?? [...everybody.values()].find((p) => p.character === character);
    if (!one) setSelected(null);
    else if (one !== selected.player) setSelected({ sort: 'player', player: one });
  });
  // A monster is chosen until it is dead; what is known of it is as of the last answer.
  useEffect(() => {
    if (selected?.sort !== 'monster' || !beasts.value) return;
    const monster = monsters.find((m) => m.id === selected.monster.id);
    if (!monster) setSelected(null);
    else if (monster !== selected.monster) setSelected({ sort: 'monster', monster });
  }, [monsters]);
  useFollowing(follow && selected?.sort === 'player' ? selected.player : undefined, chart, (at) => {
    const its = areaAt(heights, at.y);
    if (its !== now.current.area) setArea(its);
  });

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
        <div ref={host} class="map" role="application" aria-label={t('mapLabel')} tabIndex={0} data-area={area} />
        <div ref={tip} class="tip" hidden aria-hidden="true" />
        <p ref={spot} class="spot" hidden aria-hidden="true" />
        <div class="zoom">
          <button type="button" aria-label={t('zoomIn')} onClick={() => zoom(1)}>+</button>
          <button type="button" aria-label={t('zoomOut')} onClick={() => zoom(-1)}>−</button>
          <button type="button" aria-label={t('wholeArea')} title={t('wholeArea')} onClick={() => open(area)}><Icon name="home" /></button>
          <button type="button" aria-label={t('fitPlayers')} title={t('fitPlayers')} disabled={here.length === 0} onClick={() => fitPlayers(area)}><Icon name="online" /></button>
        </div>
        <Legend shown={shown} change={setShown} />
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
            changed={beasts.again}
            close={() => { setFollow(false); setSelected(null); }}
          />
        ) : (
          <>
            <Inside players={here} asOf={lost ? time : ''} choose={choose} />
            {shown.has('monster') && <TurnedOff monsters={monsters.length} />}
          </>
        )}
      </aside>
    </div>
  );
}

/** Makes the map itself, once. */
function useChart(
  host: { current: HTMLDivElement | null },
  chart: { current: L.Map | undefined },
  layer: { current: SceneLayer | undefined },
  scene: Scene,
  click: (thing: Thing | null) => void,
  drag: () => void,
): void {
  const latest = useRef({ click, drag });
  latest.current = { click, drag };
  useEffect(() => {
    const box = host.current!;
    const map = L.map(box, {
      crs: L.CRS.Simple,
      attributionControl: false,
      zoomControl: false,
      minZoom,
      maxZoom,
      zoomSnap: 0.25,
      zoomDelta: 0.5,
      wheelPxPerZoomLevel: 120,
      zoomAnimation: false,
      fadeAnimation: false,
      markerZoomAnimation: false,
      // The canvas moves with the map only once it is drawn again; inertia would show its edges.
      inertia: false,
    });
    const tellView = () => {
      const centre = fromLatLng(map.getCenter());
      box.dataset.view = `${centre.x} ${centre.z} ${map.getZoom()}`;
    };
    map.on('moveend', tellView);
    map.setView([0, 0], minZoom);
    chart.current = map;
    layer.current = new SceneLayer(scene).addTo(map) as SceneLayer;
    map.on('click', (e: L.LeafletMouseEvent) => latest.current.click(layer.current!.at(e.containerPoint)));
    map.on('dragstart', () => latest.current.drag());
    const watch = new ResizeObserver(() => map.invalidateSize({ pan: false }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      map.off(); // else a change of size that is told of later finds no map
      map.remove();
    };
  }, []);
}

/** Tells what is under the pointer, and where it is. */
function usePointer(
  chart: { current: L.Map | undefined },
  layer: { current: SceneLayer | undefined },
  host: { current: HTMLDivElement | null },
  tip: { current: HTMLDivElement | null },
  spot: { current: HTMLParagraphElement | null },
  geography: Geography,
): void {
  useEffect(() => {
    const [map, box, told, at] = [chart.current!, host.current!, tip.current!, spot.current!];
    const leave = () => {
      told.hidden = at.hidden = true;
      box.style.cursor = '';
    };
    const move = (e: L.LeafletMouseEvent) => {
      if (matchMedia('(hover: none)').matches) return; // a finger points at nothing before it taps
      const { x, z } = fromLatLng(e.latlng);
      at.textContent = `x ${Math.round(x)} · z ${Math.round(z)}`;
      at.hidden = false;
      const thing = layer.current!.at(e.containerPoint);
      box.style.cursor = thing ? 'pointer' : '';
      told.hidden = !thing;
      if (!thing) return;
      const [title, detail] = tipOf(thing, geography, say());
      const strong = document.createElement('strong');
      strong.textContent = title;
      told.replaceChildren(strong, detail);
      const { x: width } = map.getSize();
      const right = e.containerPoint.x + 14 + told.offsetWidth > width;
      told.style.left = `${right ? e.containerPoint.x - 14 - told.offsetWidth : e.containerPoint.x + 14}px`;
      told.style.top = `${Math.max(4, e.containerPoint.y - told.offsetHeight - 8)}px`;
    };
    map.on('mousemove', move);
    map.on('mouseout movestart', leave);
  }, []);
}

/** Writes into the address what the map shows, without a step in the browser's history. */
function useAddress(
  chart: { current: L.Map | undefined },
  now: { current: { area: string; selected: Choice | null; follow: boolean } },
  ready: () => boolean,
  changes: unknown[],
): void {
  const timer = useRef<number>(undefined);
  const write = () => {
    timer.current = undefined;
    const map = chart.current;
    if (!map || parseRoute(location.hash).page !== 'map') return;
    if (!ready()) {
      later();
      return;
    }
    const { area, selected, follow } = now.current;
    left = { area, centre: fromLatLng(map.getCenter()), zoom: map.getZoom(), follow };
    if (selected && selected.sort !== 'monster') left.chosen = { sort: selected.sort, key: selected.sort === 'player' ? String(selected.player.character) : keyOf(selected).split(' ')[1]! };
    const address = writeView(left);
    if (location.hash !== address) history.replaceState(null, '', address);
  };
  const later = () => {
    timer.current ??= window.setTimeout(write, settled);
  };
  useEffect(() => {
    chart.current!.on('moveend', later);
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(later, changes);
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
      {all.length > listed && <p class="hint">{t.count('moreHere', all.length - listed)}</p>}
      {all.length === 0 && <p class="hint">{t('nobodyHere')}</p>}
    </>
  );
}
