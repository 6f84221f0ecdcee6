/** Seconds between two points from which on the server did not run: points are a minute apart at most. */
const gap = 150;

/** Points by their times in seconds, with none in the middle of each gap, so that no line leads over it. */
export function withGaps<P extends { at: string }>(points: P[]): [time: number, point: P | null][] {
  const out: [number, P | null][] = [];
  for (const point of points) {
    const time = new Date(point.at).getTime() / 1000;
    const before = out.at(-1)?.[0];
    if (before !== undefined && time - before > gap) out.push([(before + time) / 2, null]);
    out.push([time, point]);
  }
  return out;
}
