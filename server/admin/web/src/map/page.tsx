import L from 'leaflet';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Geography } from '../answers';
import { useWords } from '../i18n';
import { players, type LivePlayer } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { recall, remember } from '../remembered';
import { route } from '../router';
import { useStore } from '../store';
import { dark } from '../theme';
import { Details } from './details';
import { keyOf, SceneLayer, shownAt, type Scene, type Sort, type Thing } from './layer';
import { areaAt, fromLatLng, heightsOf, maxZoom, middle, minZoom, toLatLng } from './projection';

const sorts: readonly Sort[] = ['player', 'townsman', 'portal', 'place'];
const closeUp = 1; // zoom at which somebody is followed

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
  const isDark = useStore(dark);
  const heights = useMemo(() => heightsOf(geography), [geography]);
  const [area, setArea] = useState(() => recall('map.area') ?? geography.areas[0]?.key ?? '');
  const [shown, setShown] = useState<Set<Sort>>(rememberedSorts);
  const [selected, setSelected] = useState<Thing | null>(null);
  const [follow, setFollow] = useState<number | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<L.Map>(undefined);
  const layer = useRef<SceneLayer>(undefined);
  const placed = useRef('');

  const scene: Scene = { geography, heights, area, shown, players: everybody, selected, nameOf: (p) => t.both(p.name) };

  // The map itself, once.
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
    map.setView([0, 0], minZoom);
    chart.current = map;
    layer.current = new SceneLayer(scene).addTo(map) as SceneLayer;
    map.on('click', (e: L.LeafletMouseEvent) => setSelected(layer.current!.at(e.containerPoint)));
    map.on('dragstart', () => setFollow(null));
    const tellView = () => {
      const centre = fromLatLng(map.getCenter());
      box.dataset.view = `${centre.x} ${centre.z} ${map.getZoom()}`;
    };
    map.on('moveend', tellView);
    const watch = new ResizeObserver(() => map.invalidateSize({ pan: false }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      map.remove();
    };
  }, []);

  // Another area is shown as a whole.
  useEffect(() => {
    const one = geography.areas.find((a) => a.key === area);
    remember('map.area', area);
    if (!one || !chart.current || placed.current === area) return;
    placed.current = area;
    chart.current.invalidateSize({ pan: false });
    if (one.bounds) {
      const [x1, z1, x2, z2] = one.bounds;
      chart.current.fitBounds([toLatLng({ x: x1, z: z1 }), toLatLng({ x: x2, z: z2 })], { animate: false });
    } else chart.current.setView(toLatLng(middle(one)), -2, { animate: false });
  }, [area, geography]);

  useEffect(() => layer.current?.show(scene));
  useEffect(() => layer.current?.recolour(), [isDark]);
  useEffect(() => remember('map.sorts', [...shown].join(' ')), [shown]);

  // Somebody from another page.
  useEffect(() => {
    const wanted = Number(where.query.get('follow'));
    if (wanted) setFollow(wanted);
  }, [where]);

  // Somebody who was chosen and has gone is shown no longer.
  useEffect(() => {
    if (selected?.sort !== 'player') return;
    const now = everybody.get(selected.player.id);
    if (!now) setSelected(null);
    else if (now !== selected.player) setSelected({ sort: 'player', player: now });
  });

  // Follows somebody, from area to area.
  const followed = follow === null ? undefined : everybody.get(follow);
  useEffect(() => {
    if (!followed) return undefined;
    setSelected({ sort: 'player', player: followed });
    let frame = 0;
    const step = (now: number) => {
      const one = players.value.get(followed.id);
      const map = chart.current;
      if (!one || !map) return;
      const at = shownAt({ sort: 'player', player: one }, now);
      const its = areaAt(heights, at.y);
      if (its !== placed.current) {
        placed.current = its;
        setArea(its);
      }
      const to = toLatLng(at);
      const here = map.latLngToContainerPoint(to).subtract(map.getSize().divideBy(2));
      if (Math.hypot(here.x, here.y) >= 0.5) map.setView(to, map.getZoom(), { animate: false });
      frame = requestAnimationFrame(step);
    };
    if (chart.current && chart.current.getZoom() < closeUp) chart.current.setView(toLatLng(followed), closeUp, { animate: false });
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [followed?.id]);

  const choose = (thing: Thing) => {
    const at = shownAt(thing, performance.now());
    const its = areaAt(heights, at.y);
    placed.current = its;
    setArea(its);
    setSelected(thing);
    chart.current?.setView(toLatLng(at), Math.max(chart.current.getZoom(), 0), { animate: false });
  };
  const counts = countByArea([...everybody.values()], (p) => areaAt(heights, p.y));
  const zoom = (by: number) => chart.current?.setZoom(chart.current.getZoom() + by);

  return (
    <div class="map-page">
      <h1 class="unseen">{t('map')}</h1>
      <div class="areas" role="group" aria-label={t('areas')}>
        {geography.areas.map((a) => (
          <button key={a.key} type="button" aria-pressed={a.key === area} onClick={() => { setFollow(null); setArea(a.key); }}>
            {t.both(a.name)}
            {counts.get(a.key) ? <span class="badge">{counts.get(a.key)}</span> : null}
          </button>
        ))}
      </div>
      <div class="map-box">
        <div ref={host} class="map" role="application" aria-label={t('mapLabel')} tabIndex={0} data-area={area} />
        <div class="zoom">
          <button type="button" aria-label={t('zoomIn')} onClick={() => zoom(1)}>+</button>
          <button type="button" aria-label={t('zoomOut')} onClick={() => zoom(-1)}>−</button>
        </div>
        <Legend shown={shown} change={setShown} />
        <p class="compass" aria-hidden="true">{t('north')}</p>
      </div>
      <aside class="map-side" aria-label={t('mapSide')}>
        {selected ? (
          <Details
            key={keyOf(selected)}
            thing={selected}
            geography={geography}
            following={selected.sort === 'player' && follow === selected.player.id}
            follow={(yes) => setFollow(yes && selected.sort === 'player' ? selected.player.id : null)}
            close={() => { setFollow(null); setSelected(null); }}
          />
        ) : (
          <Inside players={[...everybody.values()].filter((p) => areaAt(heights, p.y) === area)} choose={choose} />
        )}
      </aside>
    </div>
  );
}

function countByArea(all: LivePlayer[], areaOf: (p: LivePlayer) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const p of all) counts.set(areaOf(p), (counts.get(areaOf(p)) ?? 0) + 1);
  return counts;
}

/** What the signs of the map mean; each can be switched off. */
function Legend({ shown, change }: { shown: Set<Sort>; change: (shown: Set<Sort>) => void }) {
  const t = useWords();
  const toggle = (sort: Sort) => {
    const now = new Set(shown);
    if (!now.delete(sort)) now.add(sort);
    change(now);
  };
  return (
    <fieldset class="legend">
      <legend class="unseen">{t('legend')}</legend>
      {sorts.map((sort) => (
        <label key={sort}>
          <input type="checkbox" checked={shown.has(sort)} onChange={() => toggle(sort)} />
          <span class={`sign ${sort}`} aria-hidden="true" />
          {t(`sort.${sort}`)}
        </label>
      ))}
    </fieldset>
  );
}

const listed = 200;
const order = new Intl.Collator();

/** Who is in the area that is shown: the way to the players for those who do not point. */
function Inside({ players: all, choose }: { players: LivePlayer[]; choose: (t: Thing) => void }) {
  const t = useWords();
  const shown = [...all].sort((a, b) => order.compare(a.name, b.name)).slice(0, listed);
  return (
    <>
      <h2>{t.count('hereNow', all.length)}</h2>
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
