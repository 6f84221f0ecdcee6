const least = 300; // seconds

/** From when to when a plot goes: as far back as it may, but not further than anything is known, and some minutes at least. */
export function timeRange(first: number | null, last: number | null, seconds: number): [number, number] {
  const end = last ?? 0;
  return [Math.max(end - seconds, Math.min(first ?? end, end - least)), end];
}

/** How far apart marks on the axis may stand: whole numbers, powers of two, or what people count in. */
export function steps(kind: { binary?: boolean | undefined; whole?: boolean | undefined }): number[] {
  if (kind.binary) return Array.from({ length: 44 }, (_, i) => 2 ** i);
  const decades = Array.from({ length: 15 }, (_, i) => 10 ** (i - 3));
  return decades.flatMap((d) => [d, 2 * d, 5 * d]).filter((s) => !kind.whole || s >= 1);
}

/**
 * The highest of some values, without lone peaks: those more than four times as high as all others, and no more than one value in a
 * hundred or the first. The ticks of a start would make a flat line of all that comes later.
 */
export function common(values: readonly (number | null)[]): number {
  const falling = values.filter((v) => v !== null).sort((a, b) => b - a);
  const most = falling[0] ?? 0;
  if (falling.length < 5) return most;
  const peaks = Math.max(1, Math.floor(falling.length / 100));
  for (let i = 1; i <= peaks; i++) {
    if (falling[i - 1]! > 4 * falling[i]!) return falling[i]!;
  }
  return most;
}

/** Where values are above a highest one: the index of the greatest of each such run, the greatest run first. */
export function above(values: readonly (number | null)[], most: number): number[] {
  const runs: number[] = [];
  let before = false;
  for (const [i, v] of values.entries()) {
    const high = v !== null && v > most;
    if (high && !before) runs.push(i);
    else if (high && v > values[runs.at(-1)!]!) runs[runs.length - 1] = i;
    before = high;
  }
  return runs.sort((a, b) => values[b]! - values[a]!);
}

/** The highest value of an axis: above all that is shown, and above the limit where that is near. */
export function ceiling(most: number, limit: number | undefined, whole: boolean): number {
  const top = limit !== undefined && most > limit / 2 ? Math.max(most, limit) : most;
  return Math.max(top * 1.12, whole ? 4 : 0) || 1;
}
