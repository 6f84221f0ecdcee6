import { expect, test, vi } from 'vitest';

vi.mock('leaflet', () => ({ default: { GridLayer: class {} } }));
const { hasRelief, nextTry, tilesOf } = await import('./relief');

const area = { name: { ru: '', en: '' }, open: true, bounds: null, sketch: null };
const geography = {
  peace: 75,
  version: '1a2b',
  areas: [
    { ...area, key: 'hyperion', relief: [-3900, -4000, 4100, 4000] as [number, number, number, number] },
    { ...area, key: 'haron', relief: null },
  ],
  places: [],
  townsfolk: [],
  portals: [],
};

test('tiles are those of area, colours and import', () => {
  expect(tilesOf(geography, 'haron', true)).toBe('./api/map/tiles/dark/haron/{z}/{x}/{y}?v=1a2b');
  expect(tilesOf(geography, 'a/{b}', false)).toBe('./api/map/tiles/light/a%2F%7Bb%7D/{z}/{x}/{y}?v=1a2b');
});

test('what was imported is known by its bounds', () => {
  expect(['hyperion', 'haron', 'nowhere'].map((key) => hasRelief(geography, key))).toEqual([true, false, false]);
});

test('a tile that does not come is asked for some times and no more', () => {
  let address: string | null = 'http://127.0.0.1:8860/api/map/tiles/light/haron/0/0/0?v=1';
  const asked: string[] = [];
  while (address) asked.push((address = nextTry(address)) ?? '');
  expect(asked).toEqual([2, 3, 4].map((n) => `http://127.0.0.1:8860/api/map/tiles/light/haron/0/0/0?v=1&try=${n}`).concat(''));
});
