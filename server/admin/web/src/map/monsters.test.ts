import { expect, test } from 'vitest';
import { boxAround, readMonsters } from './monsters';

test('rows of numbers become monsters', () => {
  const wolf = { ru: 'Волк', en: 'Wolf' };
  const [one, other] = readMonsters({
    count: 2,
    cells: [],
    types: { 1011: wolf },
    monsters: [
      [70001, 1011, 5, 120, 278, 10.5, 155, -20, 1, 0],
      [70002, 1999, 1, 1, 1, 0, 0, 0, 0, 1],
    ],
  });
  expect(one).toEqual({ id: 70001, name: wolf, type: 1011, level: 5, hp: 120, maxHp: 278, x: 10.5, y: 155, z: -20, named: true, summoned: false });
  expect(other).toMatchObject({ name: { ru: '1999', en: '1999' }, named: false, summoned: true });
});

test('the part that is asked for stays the same while the view moves a little', () => {
  expect(boxAround(10, -90, 110, -10)).toBe('0,-128,128,0');
  expect(boxAround(14, -86, 114, -6)).toBe('0,-128,128,0');
});
