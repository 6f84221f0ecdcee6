import { expect, test } from 'vitest';
import { along } from '../map/projection';
import { walkers } from './walkers';

const at = (x: number): [number, number, number, number] => [x, 0, 0, 0];

test('who has a name walks to where he is; a leap is no walk', () => {
  const first = walkers([{ name: 'Anna', at: at(0) }, { name: 'Berta', at: at(0) }, { name: 'Hidden' }], new Map(), 1000, 3000, 'a player');
  expect([...first.keys()]).toEqual([1, 2]);
  expect([...first.values()].map((p) => [p.name, p.x, p.walk.lasts])).toEqual([['Anna', 0, 0], ['Berta', 0, 0]]);
  const next = [...walkers([{ name: 'Berta', at: at(500) }, { name: 'Anna', at: at(30) }], first, 4000, 3000, 'a player').values()];
  expect(next.map((p) => [p.name, along(p.walk, 5000).x])).toEqual([['Berta', 500], ['Anna', 10]]);
});

test('those without a name stand where they are', () => {
  const first = walkers([{ at: at(0) }, { at: at(9) }], new Map(), 1000, 3000, 'a player');
  const next = [...walkers([{ at: at(30) }, { at: at(5) }], first, 4000, 3000, 'a player').values()];
  expect(next.map((p) => [p.name, along(p.walk, 4000).x])).toEqual([['a player', 30], ['a player', 5]]);
});
