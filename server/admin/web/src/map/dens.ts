import type { Both, Spawners } from '../answers';

/** A place where monsters come from, as the map shows it. */
export interface Den {
  key: string;
  x: number;
  y: number;
  z: number;
  level: number;
  /** What comes from there. */
  kinds: Both[];
  off: boolean;
}

/** Reads the answer, in which each place is a row of numbers. */
export function readDens({ types, choices, keys, spawners }: Spawners): Den[] {
  const named = choices.map((choice) => choice.map((type) => types[type] ?? { ru: String(type), en: String(type) }));
  return spawners.map(([x, y, z, level, choice, off], i) => ({ key: keys[i] ?? '', x, y, z, level, kinds: named[choice] ?? [], off: off === 1 }));
}

/** From this level on monsters have the last colour of the scale. */
export const lastLevel = 60;
