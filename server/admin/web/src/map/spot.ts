/** A point of the map. */
export interface Spot {
  x: number;
  z: number;
}

interface Known extends Spot {
  y: number;
}

const near = 150; // metres within which a height is as good as that of a point

/** The height of whatever is known nearest to a point, if that is near. */
export function heightNear(spot: Spot, known: Iterable<Known>): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, near];
  for (const k of known) {
    const off = Math.hypot(k.x - spot.x, k.z - spot.z);
    if (off < least) [found, least] = [k.y, off];
  }
  return found;
}

/** A point as people write it and as fields of the page read it. */
export function pointText({ x, z }: Spot, y: number | undefined): string {
  return [x, y, z].flatMap((v) => (v === undefined ? [] : [Math.round(v)])).join(', ');
}

/** The command of the chat that leads there. */
export function teleportText({ x, z }: Spot, y: number): string {
  return `/tp ${[x, y, z].map(Math.round).join(' ')}`;
}
