import { expect, test } from 'vitest';
import type { LivePlayer } from '../live';
import { renewed } from './choice';
import type { Choice } from './layer';
import type { Beast } from './monsters';

const wolf = { id: 7, hp: 30 } as Beast;
const chosen: Choice = { sort: 'monster', monster: wolf };
const player = (id: number, character: number) => ({ id, character }) as LivePlayer;

test('what was closed stays closed, whatever has come meanwhile', () => {
  expect(renewed(null, { monsters: [wolf], players: new Map([[1, player(1, 5)]]) })).toBeNull();
});

test('a monster is chosen until it is dead, as it is now', () => {
  const hurt = { ...wolf, hp: 3 };
  expect(renewed(chosen, { monsters: [hurt] })).toEqual({ sort: 'monster', monster: hurt });
  expect(renewed(chosen, { monsters: [] })).toBeNull();
  expect(renewed(chosen, { monsters: [wolf] })).toBe(chosen);
  expect(renewed(chosen, { monsters: undefined, players: new Map(), dens: [] })).toBe(chosen);
});

test('a place of monsters is known by its key', () => {
  const den = { key: 'h:1:2', x: 1, y: 150, z: 2, level: 5, kinds: [], off: false };
  expect(renewed({ sort: 'spawner', den }, { dens: [{ ...den, off: true }] })).toEqual({ sort: 'spawner', den: { ...den, off: true } });
  expect(renewed({ sort: 'spawner', den }, { dens: [] })).toBeNull();
});

test('who has come back is another player, but the same character', () => {
  const before: Choice = { sort: 'player', player: player(1, 5) };
  const back = player(2, 5);
  expect(renewed(before, { players: new Map([[2, back], [3, player(3, 6)]]) })).toEqual({ sort: 'player', player: back });
  expect(renewed(before, { players: new Map([[3, player(3, 6)]]) })).toBeNull();
});
