/** A name on the map; those of a lower rank are drawn first. */
export interface Name {
  text: string;
  /** The middle of what is named, and how far around it nothing is to be written, in pixels. */
  x: number;
  y: number;
  off: number;
  rank: number;
  style: 'town' | 'castle' | 'place' | 'water' | 'player' | 'townsman';
}

/** Left, top, right and bottom, in pixels. */
export type Box = [number, number, number, number];

const most = 150;
const tries = 300; // names in a row that have no room: where there is so much, there is none for others

/**
 * Finds a room for each name: below, above or beside what is named for towns, below it for waters, else right, left, above or below. What would lie
 * on another name is left out, but never a name of rank 0: that lies where it covers least.
 */
export function place(names: readonly Name[], width: (n: Name) => number, taken: Box[] = []): { name: Name; left: number; y: number }[] {
  const written: { name: Name; left: number; y: number }[] = [];
  let failed = 0;
  for (const n of [...names].sort((a, b) => a.rank - b.rank)) {
    if (written.length >= most || failed >= tries) break;
    const w = width(n);
    const middle = n.x - w / 2;
    const right = { left: n.x + n.off + 3, y: n.y };
    const left = { left: n.x - n.off - 3 - w, y: n.y };
    const under = (by: number) => ({ left: middle, y: n.y + by * (n.off + 9) });
    const [below, above] = [under(1), under(-1)];
    const rooms = n.style === 'water' ? [below, under(2)] : n.style === 'town' ? [below, above, under(2), under(-2), under(3), right, left] : [right, left, above, below];
    const boxOf = (r: { left: number; y: number }): Box => [r.left - 2, r.y - 7, r.left + w + 2, r.y + 7];
    const free = rooms.find((r) => !taken.some((t) => overlap(t, boxOf(r)))) ?? (n.rank === 0 ? leastOf(rooms, (r) => covered(taken, boxOf(r))) : undefined);
    if (!free) {
      failed++;
      continue;
    }
    failed = 0;
    taken.push(boxOf(free));
    written.push({ name: n, ...free });
  }
  return written;
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
}

/** How many square pixels of the boxes a box would lie on. */
function covered(boxes: readonly Box[], by: Box): number {
  const common = (a: Box) => Math.max(0, Math.min(a[2], by[2]) - Math.max(a[0], by[0])) * Math.max(0, Math.min(a[3], by[3]) - Math.max(a[1], by[1]));
  return boxes.reduce((sum, a) => sum + common(a), 0);
}

/** The first of those for which something is least. */
function leastOf<T>(all: readonly T[], of: (one: T) => number): T {
  return all.reduce((a, b) => (of(b) < of(a) ? b : a));
}
