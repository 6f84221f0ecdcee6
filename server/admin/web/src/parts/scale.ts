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

/** The highest value of an axis: above all that is shown, and above the limit where that is near. */
export function ceiling(most: number, limit: number | undefined, whole: boolean): number {
  const top = limit !== undefined && most > limit / 2 ? Math.max(most, limit) : most;
  return Math.max(top * 1.12, whole ? 4 : 0) || 1;
}
