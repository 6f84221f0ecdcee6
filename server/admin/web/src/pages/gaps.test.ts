import { expect, test } from 'vitest';
import { means, withGaps } from './gaps';

const at = (second: number) => ({ at: new Date(second * 1000).toISOString() });

test('no line leads over the time in which the server did not run', () => {
  expect(withGaps([])).toEqual([]);
  const [a, b, c, d] = [at(0), at(60), at(3660), at(3670)] as const;
  expect(withGaps([a, b, c, d])).toEqual([[0, a], [60, b], [1860, null], [3660, c], [3670, d]]);
});

test('means are of what was within their time, and gaps stay', () => {
  expect(means([0, 10, 20, 30], [6, 0, 0, 3], 20)).toEqual([6, 3, 0, 1.5]);
  expect(means([0, 10, 20, 30], [4, null, 2, 0], 300)).toEqual([4, null, 3, 2]);
});
