import type { Both, Monsters } from '../answers';
import { lastLevel } from './dens';
import { between, type Colour } from './heat';

/** A monster as the map shows it. */
export interface Beast {
  id: number;
  name: Both;
  type: number;
  level: number;
  hp: number;
  maxHp: number;
  x: number;
  y: number;
  z: number;
  /** It has a name of its own. */
  named: boolean;
  summoned: boolean;
}

/** Metres of a square in which monsters are counted where each would be a speck among thousands. */
export const herdSide = 200;

/** How many monsters there are in squares, painted: a pixel for each square, in the colour of its levels. */
export interface Herds {
  picture: HTMLCanvasElement;
  /** Of the north-western corner. */
  x: number;
  z: number;
}

const crowded = 8; // monsters in a square that has the full colour

/** Paints where monsters are: each square in the colour of the mean of their levels, the more the thicker. */
export function paintHerds(cells: Monsters['cells'], scale: readonly Colour[]): Herds | null {
  if (cells.length === 0) return null;
  const at = cells.map(([x, z, count, level]) => ({ x: Math.floor(x / herdSide), z: Math.floor(z / herdSide), count, level }));
  const [west, east] = [Math.min(...at.map((c) => c.x)) - 1, Math.max(...at.map((c) => c.x)) + 1];
  const [south, north] = [Math.min(...at.map((c) => c.z)) - 1, Math.max(...at.map((c) => c.z)) + 1];
  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [east - west + 1, north - south + 1];
  const g = picture.getContext('2d')!;
  for (const { x, z, count, level } of at) {
    g.fillStyle = `rgb(${between(scale, (level - 1) / (lastLevel - 1)).join(' ')} / ${0.1 + 0.35 * Math.min(1, count / crowded)})`;
    g.fillRect(x - west, north - z, 1, 1);
  }
  return { picture, x: west * herdSide, z: (north + 1) * herdSide };
}

/** The part of the map that is asked for: what is in view and somewhat around it, the same while the view moves a little. */
export function boxAround(west: number, south: number, east: number, north: number): string {
  const step = 2 ** Math.ceil(Math.log2(Math.max(east - west, north - south, 1))) / 2;
  return [Math.floor(west / step), Math.floor(south / step), Math.ceil(east / step), Math.ceil(north / step)].map((n) => n * step).join(',');
}

/** Reads the answer, in which each monster is a row of numbers. */
export function readMonsters({ types, monsters }: Monsters): Beast[] {
  return monsters.map(([id, type, level, hp, maxHp, x, y, z, named, summoned]) => {
    const name = types[type] ?? { ru: String(type), en: String(type) };
    return { id, name, type, level, hp, maxHp, x, y, z, named: named === 1, summoned: summoned === 1 };
  });
}
