import type { Both, Monsters } from '../answers';

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

/** Reads the answer, in which each monster is a row of numbers. */
export function readMonsters({ types, monsters }: Monsters): Beast[] {
  return monsters.map(([id, type, level, hp, maxHp, x, y, z, named, summoned]) => {
    const name = types[type] ?? { ru: String(type), en: String(type) };
    return { id, name, type, level, hp, maxHp, x, y, z, named: named === 1, summoned: summoned === 1 };
  });
}
