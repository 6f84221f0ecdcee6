import { expect, test } from 'vitest';
import { heightNear, pointText, teleportText } from './spot';

test('the height of a point is that of what is known nearest to it, and unknown far from all', () => {
  const known = [{ x: 0, y: 150, z: 0 }, { x: 40, y: 160, z: 0 }];
  expect(heightNear({ x: 10, z: 5 }, known)).toBe(150);
  expect(heightNear({ x: 30, z: 5 }, known)).toBe(160);
  expect(heightNear({ x: 300, z: 5 }, known)).toBeUndefined();
  expect(heightNear({ x: 0, z: 0 }, [])).toBeUndefined();
});

test('points are written as the chat and the forms read them', () => {
  const spot = { x: 2613.7, z: -1293.2 };
  expect(pointText(spot, 156.4)).toBe('2614, 156, -1293');
  expect(pointText(spot, undefined)).toBe('2614, -1293');
  expect(teleportText(spot, 156.4)).toBe('/tp 2614 156 -1293');
});
