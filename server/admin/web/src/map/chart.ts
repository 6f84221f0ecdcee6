import L from 'leaflet';
import { useEffect, useRef } from 'preact/hooks';
import type { Geography } from '../answers';
import { say } from '../i18n';
import { SceneLayer, type Scene, type Thing } from './layer';
import { fromLatLng, maxZoom, minZoom } from './projection';
import type { Spot } from './spot';
import { tipOf } from './tip';

const besideMiddle = 45; // px: the arrow keys move the map by 80

/** Makes the map itself, once. */
export function useChart(
  host: { current: HTMLDivElement | null },
  chart: { current: L.Map | undefined },
  layer: { current: SceneLayer | undefined },
  scene: Scene,
  click: (thing: Thing | null, at: Spot) => void,
  drag: () => void,
  mark?: (at: Spot) => void,
): void {
  const latest = useRef({ click, drag, mark });
  latest.current = { click, drag, mark };
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
    map.on('click', (e: L.LeafletMouseEvent) => latest.current.click(layer.current!.at(e.containerPoint), fromLatLng(e.latlng)));
    // The other button of a mouse, or a finger that rests: the place itself is meant, whatever lies there.
    map.on('contextmenu', (e: L.LeafletMouseEvent) => {
      if (!latest.current.mark) return;
      L.DomEvent.preventDefault(e.originalEvent);
      latest.current.mark(fromLatLng(e.latlng));
    });
    // Who has no pointer points with the middle of the map.
    map.on('keydown', ({ originalEvent: e }: L.LeafletKeyboardEvent) => {
      if (e.key !== ' ' || e.target !== box) return;
      e.preventDefault();
      latest.current.click(layer.current!.at(map.getSize().divideBy(2), besideMiddle), fromLatLng(map.getCenter()));
    });
    map.on('dragstart', () => latest.current.drag());
    const watch = new ResizeObserver(() => {
      const [{ x: width }, centre] = [map.getSize(), map.getCenter()];
      map.invalidateSize({ pan: false });
      if (width === 0) map.setView(centre, map.getZoom(), { animate: false }); // it was not laid out yet
    });
    watch.observe(box);
    return () => {
      watch.disconnect();
      map.off(); // else a change of size that is told of later finds no map
      map.remove();
    };
  }, []);
}

/** Tells what is under the pointer, and where it is. */
export function usePointer(
  chart: { current: L.Map | undefined },
  layer: { current: SceneLayer | undefined },
  host: { current: HTMLDivElement | null },
  tip: { current: HTMLDivElement | null },
  spot: { current: HTMLParagraphElement | null },
  geography: Geography,
  tell: typeof tipOf = tipOf,
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
      const [title, detail] = tell(thing, geography, say());
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
