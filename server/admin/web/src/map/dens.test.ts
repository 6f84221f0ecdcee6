import { expect, test } from 'vitest';
import { readDens } from './dens';

test('rows of numbers are places where monsters come from', () => {
  const wolf = { ru: 'Волк', en: 'Wolf' };
  const dens = readDens({
    types: { 1011: wolf },
    choices: [[1011], [1011, 7]],
    keys: ['h:1:2', 'h:3:4'],
    spawners: [[1, 150, 2, 5, 1, 0], [3, 151, 4, 6, 0, 1]],
  });
  expect(dens).toEqual([
    { key: 'h:1:2', x: 1, y: 150, z: 2, level: 5, kinds: [wolf, { ru: '7', en: '7' }], off: false },
    { key: 'h:3:4', x: 3, y: 151, z: 4, level: 6, kinds: [wolf], off: true },
  ]);
});
