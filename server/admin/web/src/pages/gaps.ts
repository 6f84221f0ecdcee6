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

/** Each value as the mean of those of the last so many seconds; gaps stay. */
export function means(times: readonly number[], values: readonly (number | null)[], seconds: number): (number | null)[] {
  let [from, sum, n] = [0, 0, 0];
  return values.map((v, i) => {
    if (v === null) return null;
    [sum, n] = [sum + v, n + 1];
    for (; times[from]! <= times[i]! - seconds; from++) {
      const old = values[from];
      if (old !== null && old !== undefined) [sum, n] = [sum - old, n - 1];
    }
    return Math.max(0, sum / n);
  });
}
