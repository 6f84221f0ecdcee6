import { expect, test } from 'vitest';
import { bytes, clock, coordinates, milliseconds, moment, parseCoordinates, placeLine, readBack, span, unbroken } from './format';

// Figures are written with spaces that do not break.
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test('bytes have the greatest unit that fits', () => {
  expect([0, 1023, 1024, 1536, 150_000, 5 * 1024 ** 3].map((n) => bytes(n, 'en'))).toEqual(['0 B', '1,023 B', '1 KiB', '1.5 KiB', '146 KiB', '5 GiB']);
  expect(bytes(1536, 'ru')).toBe('1,5 КиБ');
  expect(bytes(undefined, 'en')).toBe('–');
});

test('a number and its unit stand in one line', () => {
  expect(unbroken('p99 0,82 мс, max 5 мс')).toBe('p99 0,82\u00a0мс, max 5\u00a0мс');
  expect(placeLine('Устье реки Нерей, 145 м к юго-востоку')).toBe('Устье реки Нерей, 145\u00a0м\u00a0к\u00a0юго\u2011востоку');
  expect(placeLine('Торвил')).toBe('Торвил');
  expect(unbroken('2301 -3857, 5 KiB')).toBe('2301 -3857, 5\u00a0KiB');
});

test('milliseconds become seconds when there are many', () => {
  expect([0.127, 12.34, 340.6, 12_500].map((n) => milliseconds(n, 'en'))).toEqual(['0.13 ms', '12.3 ms', '341 ms', '12.5 s']);
  expect(milliseconds(null, 'ru')).toBe('–');
  expect(plain(milliseconds(9999, 'ru'))).toBe('9 999 мс');
});

test('time spans have their two greatest units, without zeros', () => {
  expect([0, 59, 60, 3600, 3661, 86_400, 100_000].map((s) => span(s, 'en'))).toEqual(['0 s', '59 s', '1 min', '1 h', '1 h 1 min', '1 d', '1 d 3 h']);
  expect(span(3661, 'ru')).toBe('1 ч 1 мин');
  expect(span(-5, 'en')).toBe('0 s');
});

test('a moment that never was is a dash', () => {
  expect(['', null, undefined, '0001-01-01T00:00:00Z', 'soon'].map((at) => moment(at, 'en'))).toEqual(['–', '–', '–', '–', '–']);
  expect(moment('2026-11-21T12:00:00Z', 'ru')).toContain('21.11.2026');
  expect(moment('2026-11-21T12:00:00Z', 'en')).toMatch(/^21 Nov 2026, \d\d:\d\d:00$/);
  expect(clock('2026-11-21T12:00:00Z', 'en')).toMatch(/^\d\d:\d\d:00$/);
});

test('what was chosen in a field of time is read back in the language of the page', () => {
  expect(['', 'x', '2026-13-01T00:00'].map((v) => readBack(v, 'ru'))).toEqual(['', '', '']);
  expect(plain(readBack('2026-12-03T18:30', 'ru'))).toMatch(/четверг, 3 декабря 2026 г\. в 18:30/);
  expect(plain(readBack('2026-12-03T18:30', 'en'))).toMatch(/Thursday,? 3 December 2026 at 18:30/);
});

test('coordinates are read as people write them', () => {
  const point = { x: 2614, y: 157.8, z: -1293 };
  for (const text of ['2614 157.8 -1293', '2614, 157.8, -1293', ' 2614;157.8;-1293 ', coordinates(point)]) expect(parseCoordinates(text)).toEqual(point);
  for (const text of ['', '1 2', '1 2 3 4', 'a b c', '1 2 Infinity']) expect(parseCoordinates(text)).toBeUndefined();
});
