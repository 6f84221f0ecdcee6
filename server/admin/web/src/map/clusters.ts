import { pixelsPerMetre } from './projection';

/** Who stands so close together that the dots would lie on each other. */
export interface Cluster<T> {
  x: number;
  z: number;
  members: T[];
}

/** From this zoom on everybody has a dot of his own. */
export const apart = 3;
/** Fewer than so many are no cluster. */
const fewest = 3;
const cell = 44; // pixels

interface Spot {
  x: number;
  z: number;
}

/**
 * Gathers those who stand together at a zoom. The squares by which it tells lie still in the world while the map is moved, and so do the
 * clusters.
 */
export function gather<T>(all: readonly T[], at: (one: T) => Spot, zoom: number): { clusters: Cluster<T>[]; single: T[] } {
  if (zoom >= apart) return { clusters: [], single: [...all] };
  const size = cell / pixelsPerMetre(Math.floor(zoom));
  const squares = new Map<string, Cluster<T>>();
  for (const one of all) {
    const { x, z } = at(one);
    const key = `${Math.floor(x / size)} ${Math.floor(z / size)}`;
    let square = squares.get(key);
    if (!square) squares.set(key, (square = { x: 0, z: 0, members: [] }));
    square.members.push(one);
    square.x += x;
    square.z += z;
  }
  const piles = [...squares.values()].map((s) => ({ ...s, x: s.x / s.members.length, z: s.z / s.members.length }));
  const merged = merge(piles.sort((a, b) => b.members.length - a.members.length), (0.75 * cell) / pixelsPerMetre(zoom));
  return { clusters: merged.filter((c) => c.members.length >= fewest), single: merged.filter((c) => c.members.length < fewest).flatMap((c) => c.members) };
}

/** Joins piles on both sides of a border: a smaller one goes to a larger one that is near. */
function merge<T>(piles: Cluster<T>[], near: number): Cluster<T>[] {
  const merged: Cluster<T>[] = [];
  for (const p of piles) {
    const host = merged.find((m) => Math.hypot(m.x - p.x, m.z - p.z) < near);
    if (!host) {
      merged.push(p);
      continue;
    }
    const [n, m] = [host.members.length, p.members.length];
    host.x = (host.x * n + p.x * m) / (n + m);
    host.z = (host.z * n + p.z * m) / (n + m);
    host.members = [...host.members, ...p.members];
  }
  return merged;
}
