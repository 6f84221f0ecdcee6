import type { Route } from '../router';
import type { Sort } from './layer';
import { maxZoom, minZoom } from './projection';

/** What of the map an address names: "#/map/hyperion/2614,1293/-2.5?player=12" . */
export interface View {
  area: string;
  /** The middle of what is shown; undefined for wherever it fits. */
  centre?: { x: number; z: number };
  zoom?: number;
  /** What is chosen: a character by its number, anything else by its key. */
  chosen?: { sort: Sort; key: string };
  follow: boolean;
}

const choosable: readonly Sort[] = ['player', 'townsman', 'portal', 'place'];

/** Reads an address; what is no number or no area of the world is as if it were not there. */
export function readView(route: Route, areas: readonly string[]): View {
  const view: View = { area: areas.includes(route.id) ? route.id : '', follow: route.query.has('follow') };
  const [x, z] = (route.rest[0] ?? '').split(',').map((n) => (n.trim() === '' ? NaN : Number(n)));
  if (view.area && Number.isFinite(x) && Number.isFinite(z)) view.centre = { x: x!, z: z! };
  const zoom = Number(route.rest[1] || NaN);
  if (Number.isFinite(zoom)) view.zoom = Math.min(maxZoom, Math.max(minZoom, zoom));
  const follow = route.query.get('follow');
  if (follow) view.chosen = { sort: 'player', key: follow };
  for (const sort of choosable) {
    const key = route.query.get(sort);
    if (key && !view.chosen) view.chosen = { sort, key };
  }
  return view;
}

/** The address of a view; the inverse of readView. */
export function writeView(view: View): string {
  const query = view.chosen ? `?${new URLSearchParams({ [view.follow ? 'follow' : view.chosen.sort]: view.chosen.key })}` : '';
  const { centre, zoom } = view;
  const spot = centre ? `/${Math.round(centre.x)},${Math.round(centre.z)}/${Math.round((zoom ?? 0) * 100) / 100}` : '';
  return `#/map/${view.area}${spot}${query}`;
}
