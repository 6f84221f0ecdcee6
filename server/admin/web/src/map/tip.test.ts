import { expect, test, vi } from 'vitest';
import type { Geography } from '../answers';
import type { Thing } from './layer';

vi.stubGlobal('navigator', { languages: ['en'] });
await import('../words/all');
const { speech } = await import('../i18n');
const { tipOf } = await import('./tip');

const both = (ru: string, en: string) => ({ ru, en });
const at = { area: 'hyperion', x: 0, y: 150, z: 0 };
const geography: Geography = { peace: 75, version: '', areas: [], places: [{ key: 'shipstone', name: both('Шипстоун', 'Shipstone'), kind: 'city', ...at }], townsfolk: [], portals: [] };
const player = (name: string) => ({ name, role: 'player', level: { title: 12, degree: 3, titleRebirths: 0, degreeRebirths: 0 }, clan: '' }) as never;
const tip = (thing: Thing) => tipOf(thing, geography, speech('ru'));

test('whatever the pointer is over says what it is', () => {
  expect(tip({ sort: 'player', player: player('Вася') })).toEqual(['Вася', 'титул 12, степень 3']);
  const townsman = { key: 'npc-1', label: both('ювелир', 'jeweller'), kind: 'trader', occupation: 'jewellery', angle: 0, town: 'shipstone', ...at };
  expect(tip({ sort: 'townsman', townsman })).toEqual(['Ювелир', 'Шипстоун']);
  const monster = { id: 1, name: both('Волк', 'Wolf'), type: 1011, level: 5, hp: 7, maxHp: 9, x: 0, y: 0, z: 0, named: false, summoned: false };
  expect(tip({ sort: 'monster', monster })).toEqual(['Волк', 'уровень 5 · здоровье 7 / 9']);
  const den = { key: 'h:1:2', x: 0, y: 0, z: 0, level: 5, kinds: ['а', 'б', 'в', 'г', 'д', 'е'].map((n) => both(n, n)), off: true };
  expect(tip({ sort: 'spawner', den })).toEqual(['Логово уровня 5', 'а, б, в, г, д и ещё 1 · отключено']);
  expect(tip({ sort: 'place', place: geography.places[0]! })).toEqual(['Шипстоун', 'город']);
  expect(tip({ sort: 'portal', portal: { key: 'p', class: 63, angle: 0, place: 'shipstone', ...at } })).toEqual(['Телепорт', '→ Шипстоун']);
});

test('a crowd says how many they are, and who some of them are', () => {
  const members = ['Е', 'Д', 'Г', 'В', 'Б', 'А', 'Ж'].map(player);
  expect(tip({ sort: 'cluster', ...at, members })).toEqual(['7 игроков вместе', 'А, Б, В, Г, Д и ещё 2']);
});
