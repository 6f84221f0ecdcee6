import { expect, test } from 'vitest';
import { between, numbersOf, rasterOf, readChoice, writeChoice } from './heat';

const heat = (cells: [number, number, number][]) => ({ since: '', cell: 32, most: Math.max(0, ...cells.map((c) => c[2])), cells });

test('the raster has the most where most was counted, and less around it', () => {
  const r = rasterOf(heat([[10, -5, 100], [14, -5, 25]]), 1)!;
  const at = (x: number, z: number) => r.heat[(r.south + r.high - 1 - z) * r.wide + x - r.west]!;
  expect([r.west, r.south, r.wide, r.high]).toEqual([8, -7, 9, 5]);
  expect(at(10, -5)).toBe(1);
  expect(at(14, -5)).toBe(0.5);
  expect(at(11, -5)).toBeCloseTo(0.5);
  expect(at(11, -4)).toBeCloseTo(1 - Math.SQRT2 / 2);
  expect(at(12, -5)).toBe(0);
  expect(at(10, -4)).toBeCloseTo(0.5);
  expect([...r.heat.slice(0, r.wide)]).toEqual(Array(r.wide).fill(0)); // what is smoothed at the edge ends in nothing
});

test('nothing counted is nothing to draw', () => {
  expect(rasterOf(heat([]), 1)).toBeNull();
  expect(rasterOf({ ...heat([[0, 0, 0]]) }, 1)).toBeNull();
});

test('colours lie between those of the scale', () => {
  const scale: [number, number, number][] = [[0, 0, 0], [100, 0, 0], [100, 200, 0]];
  expect(between(scale, 0)).toEqual([0, 0, 0]);
  expect(between(scale, 0.25)).toEqual([50, 0, 0]);
  expect(between(scale, 0.75)).toEqual([100, 100, 0]);
  expect(between(scale, 1)).toEqual([100, 200, 0]);
  expect(between(scale, 7)).toEqual([100, 200, 0]);
  expect(numbersOf('rgb(194, 51, 31)')).toEqual([194, 51, 31]);
});

test('a choice is remembered, and nonsense is none', () => {
  expect(readChoice(writeChoice({ of: 'deaths', hours: 6 }))).toEqual({ of: 'deaths', hours: 6 });
  expect(readChoice(writeChoice({ of: null, hours: 1 }))).toEqual({ of: null, hours: 1 });
  for (const text of [null, '', 'gold 3', 'players 99 x']) expect(readChoice(text).hours).toBe(24);
  expect(readChoice('gold 6').of).toBeNull();
});
