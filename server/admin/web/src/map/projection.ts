import type { Geography, Point } from '../answers';

// The map is the plane of x and z, seen from above: x grows to the right, which is east, z upwards, which is north. A degree of
// latitude of the map library stands for a metre of z, one of longitude for a metre of x; at zoom 0 a metre is a pixel.

/** What the map library calls a place. */
export function toLatLng(p: { x: number; z: number }): [lat: number, lng: number] {
  return [p.z, p.x];
}

/** The inverse of toLatLng. */
export function fromLatLng(p: { lat: number; lng: number }): { x: number; z: number } {
  return { x: p.lng, z: p.lat };
}

export const minZoom = -5;
export const maxZoom = 5;

/** Pixels that a metre takes at a zoom. */
export function pixelsPerMetre(zoom: number): number {
  return 2 ** zoom;
}

/** Metres between the lines of the grid: one, two or five times a power of ten, with at least so many pixels between lines. */
export function gridStep(zoom: number, pixels = 70): number {
  const least = pixels / pixelsPerMetre(zoom);
  const ten = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((t) => t * ten >= least) ?? 10;
  return Math.max(1, times * ten);
}

/** The multiples of a step from one coordinate to another. */
export function gridLines(from: number, to: number, step: number): number[] {
  const lines: number[] = [];
  for (let n = Math.ceil(from / step); n * step <= to; n++) lines.push(n * step);
  return lines;
}

/** The way in which somebody looks, in pixels to the right and down: yaw 0 is north, and grows clockwise. */
export function heading(yaw: number): [right: number, down: number] {
  return [Math.sin(yaw), -Math.cos(yaw)];
}

/** The heights at which the known things of each area lie. */
export type Heights = Map<string, [least: number, greatest: number]>;

export function heightsOf(geography: Geography): Heights {
  const heights: Heights = new Map();
  for (const p of [...geography.places, ...geography.townsfolk, ...geography.portals]) {
    if (!p.area) continue;
    const known = heights.get(p.area);
    heights.set(p.area, known ? [Math.min(known[0], p.y), Math.max(known[1], p.y)] : [p.y, p.y]);
  }
  return heights;
}

/** The area whose known things lie nearest to a height: the areas share their x and z, and height alone tells them apart. */
export function areaAt(heights: Heights, y: number): string {
  let [found, least] = ['', Infinity];
  for (const [key, [from, to]] of heights) {
    const off = y < from ? from - y : y > to ? y - to : 0;
    if (off < least) [found, least] = [key, off];
  }
  return found;
}

/** A walker between two positions that the server has told: where it is shown while time goes on. */
export interface Walk {
  from: Point & { yaw: number };
  to: Point & { yaw: number };
  began: number;
  lasts: number;
}

/** Above this many metres between two positions it was no walk; it is shown where it is at once. */
export const jump = 80;

/** Where a walker is shown at a time, in milliseconds of the same clock as Walk.began. */
export function along(w: Walk, now: number): { x: number; y: number; z: number; yaw: number } {
  const share = w.lasts <= 0 ? 1 : Math.min(1, Math.max(0, (now - w.began) / w.lasts));
  const between = (a: number, b: number) => a + (b - a) * share;
  const turn = Math.atan2(Math.sin(w.to.yaw - w.from.yaw), Math.cos(w.to.yaw - w.from.yaw));
  return { x: between(w.from.x, w.to.x), y: between(w.from.y, w.to.y), z: between(w.from.z, w.to.z), yaw: w.from.yaw + turn * share };
}
