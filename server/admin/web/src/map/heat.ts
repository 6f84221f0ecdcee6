import type { Heat } from '../answers';

/** What heat can be shown of, and for how many hours. */
export type HeatOf = 'players' | 'deaths' | 'kills' | 'money';

export const heats: readonly HeatOf[] = ['players', 'deaths', 'kills', 'money'];
export const heatHours = [1, 6, 24] as const;

/** What heat the user wants to see. */
export interface HeatChoice {
  of: HeatOf | null;
  hours: number;
}

/** Reads what was remembered of a choice; anything else is none. */
export function readChoice(text: string | null): HeatChoice {
  const [of, hours] = (text ?? '').split(' ');
  return { of: heats.find((h) => h === of) ?? null, hours: heatHours.find((h) => String(h) === hours) ?? 24 };
}

export function writeChoice({ of, hours }: HeatChoice): string {
  return `${of ?? 'none'} ${hours}`;
}

/** Amounts on a raster of cells, from 0 for none to 1 for the most, spread a little around them. */
export interface Raster {
  /** Cells of the western and of the southern edge. */
  west: number;
  south: number;
  wide: number;
  high: number;
  /** Metres of a cell. */
  cell: number;
  /** Row by row, the northern one first. */
  heat: Float32Array;
}

/**
 * Spreads what was counted in cells over those within some cells around, so that it is seen from afar and has no edges. The share grows with
 * the root of an amount: else there would be one spot where most is, and nothing elsewhere.
 */
export function rasterOf({ cells, cell, most }: Heat, around: number): Raster | null {
  if (cells.length === 0 || most <= 0) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, z] of cells) {
    [west, south] = [Math.min(west, x - around - 1), Math.min(south, z - around - 1)];
    [east, north] = [Math.max(east, x + around + 1), Math.max(north, z + around + 1)];
  }
  const [wide, high] = [east - west + 1, north - south + 1];
  const heat = new Float32Array(wide * high);
  for (const [x, z, amount] of cells) {
    const share = Math.sqrt(amount / most);
    for (let dz = -around; dz <= around; dz++) {
      for (let dx = -around; dx <= around; dx++) {
        const falls = 1 - Math.hypot(dx, dz) / (around + 1);
        if (falls <= 0) continue;
        const at = (north - (z + dz)) * wide + x + dx - west;
        heat[at] = Math.max(heat[at]!, share * falls);
      }
    }
  }
  return { west, south, wide, high, cell, heat };
}

/** Red, green and blue, 0 to 255. */
export type Colour = [number, number, number];

/** The colour of a share from 0 to 1, between the colours of a scale. */
export function between(scale: readonly Colour[], share: number): Colour {
  const at = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(at));
  const [a, b] = [scale[i]!, scale[i + 1]!];
  return [0, 1, 2].map((c) => Math.round(a[c]! + (b[c]! - a[c]!) * (at - i))) as Colour;
}

/** The three numbers of a colour as browsers compute it: "rgb(194, 51, 31)". */
export function numbersOf(colour: string): Colour {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [r ?? 0, g ?? 0, b ?? 0];
}

const thin = 0.35; // opacity of the least heat
const thick = 0.85; // of the most

/** Paints a raster, a pixel for each cell; it is to be drawn larger, smoothed. */
export function paint({ wide, high, heat }: Raster, scale: readonly Colour[]): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [wide, high];
  const g = canvas.getContext('2d')!;
  const picture = g.createImageData(wide, high);
  for (let i = 0; i < heat.length; i++) {
    const share = heat[i]!;
    if (share <= 0) continue;
    const colour = between(scale, share);
    picture.data.set(colour, 4 * i);
    // What is spread thinly fades out.
    picture.data[4 * i + 3] = 255 * Math.min(1, share / 0.08) * (thin + (thick - thin) * share);
  }
  g.putImageData(picture, 0, 0);
  return canvas;
}
