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
export function gather<T extends Spot>(all: readonly T[], zoom: number): { clusters: Cluster<T>[]; single: T[] } {
  if (zoom >= apart) return { clusters: [], single: [...all] };
  const size = cell / pixelsPerMetre(Math.floor(zoom));
  const squares = new Map<number, Cluster<T>>();
  for (const one of all) {
    const key = squareOf(one, size);
    const square = squares.get(key);
    if (!square) {
      squares.set(key, { x: one.x, z: one.z, members: [one] });
      continue;
    }
    square.members.push(one);
    square.x += one.x;
    square.z += one.z;
  }
  const piles = [...squares.values()];
  for (const p of piles) {
    p.x /= p.members.length;
    p.z /= p.members.length;
  }
  const merged = merge(piles.sort((a, b) => b.members.length - a.members.length), (0.75 * cell) / pixelsPerMetre(zoom));
  return { clusters: merged.filter((c) => c.members.length >= fewest), single: merged.filter((c) => c.members.length < fewest).flatMap((c) => c.members) };
}

const most = 2 ** 20; // squares to each side of the middle of the world; a square is above 1 m

/** A number of the square in which a point lies, or of another so many columns and rows away. */
function squareOf(p: Spot, size: number, columns = 0, rows = 0): number {
  return (Math.floor(p.x / size) + columns + most) * (2 * most) + Math.floor(p.z / size) + rows + most;
}

const around = [-1, 0, 1];

/** Joins piles on both sides of a border: a smaller one goes to a larger one that is near. */
function merge<T>(piles: Cluster<T>[], near: number): Cluster<T>[] {
  const merged: Cluster<T>[] = [];
  const hosts = new Map<number, Cluster<T>[]>(); // by the square in which they were at first
  const hostOf = (p: Cluster<T>) => {
    for (const columns of around) {
      for (const rows of around) {
        const found = hosts.get(squareOf(p, near, columns, rows))?.find((m) => Math.hypot(m.x - p.x, m.z - p.z) < near);
        if (found) return found;
      }
    }
    return undefined;
  };
  for (const p of piles) {
    const host = hostOf(p);
    if (!host) {
      merged.push(p);
      const key = squareOf(p, near);
      const there = hosts.get(key);
      if (there) there.push(p);
      else hosts.set(key, [p]);
      continue;
    }
    const [n, m] = [host.members.length, p.members.length];
    host.x = (host.x * n + p.x * m) / (n + m);
    host.z = (host.z * n + p.z * m) / (n + m);
    host.members.push(...p.members);
  }
  return merged;
}
