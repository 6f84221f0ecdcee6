import { expect, test } from 'vitest';
import { place, type Name } from './names';

const name = (text: string, x: number, y: number, rank: number, style: Name['style'] = 'place'): Name => ({ text, x, y, off: 5, rank, style });
const width = (n: Name) => n.text.length * 7;

test('names do not lie on each other; towns have theirs always', () => {
  const names = [name('teleport', 100, 100, 3), name('tavern', 101, 100, 3), name('Shipstone', 100, 100, 0, 'town'), name('Torweal', 102, 101, 0, 'town')];
  const written = place(names, width);
  expect(written.map((w) => w.name.text)).toEqual(expect.arrayContaining(['Shipstone', 'Torweal']));
  for (const a of written) {
    for (const b of written) {
      if (a === b || a.name.rank === 0 || b.name.rank === 0) continue;
      expect(Math.abs(a.y - b.y) >= 14 || a.left + width(a.name) <= b.left || b.left + width(b.name) <= a.left).toBe(true);
    }
  }
});

test('a name that has no room at its right has it elsewhere', () => {
  const [first] = place([name('castle', 100, 100, 2)], width, [[105, 90, 200, 110]]);
  expect(first!.left).toBeLessThan(100);
  expect(place([name('castle', 100, 100, 2)], width, [[0, 0, 300, 300]])).toEqual([]);
});

test('the name of a town lies below a crowd in it', () => {
  const [first] = place([name('Shipstone', 100, 100, 0, 'town')], width, [[85, 85, 115, 115]]);
  expect(first!.y - 7).toBeGreaterThanOrEqual(115);
});

test('the name of a town among crowds lies beside them, or where it hides least of them', () => {
  const town = name('Torweal', 100, 100, 0, 'town');
  const crowds = [85, 60, 110, 40, 130].map((y): [number, number, number, number] => [70, y, 104, y + 24]);
  expect(place([town], width, [...crowds])[0]!.left).toBeGreaterThan(104);
  const walls: [number, number, number, number][] = [[0, 0, 400, 118], [0, 118, 400, 130], [0, 130, 85, 400]];
  expect(place([town], width, [...walls])[0]!.y).toBe(142);
});
