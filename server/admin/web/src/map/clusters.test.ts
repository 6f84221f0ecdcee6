import { expect, test } from 'vitest';
import { apart, gather } from './clusters';
import { minZoom } from './projection';

test('a crowd is one number, and splits where the map comes nearer', () => {
  const crowd = Array.from({ length: 250 }, (_, i) => ({ x: 2600 + (i % 16) * 4, z: 1290 + Math.floor(i / 16) * 4 }));
  const far = gather(crowd, -4);
  expect(far.clusters.map((c) => c.members.length)).toEqual([250]);
  expect(far.single).toEqual([]);
  expect(far.clusters[0]!.x).toBeCloseTo(2630, -1);
  const near = gather(crowd, 1);
  expect(near.clusters.length).toBeGreaterThan(1);
  expect(gather(crowd, apart)).toEqual({ clusters: [], single: crowd });
});

test('nobody is lost or counted twice, at any zoom', () => {
  const all = Array.from({ length: 300 }, (_, i) => ({ x: ((i * 7919) % 4000) - 100, z: ((i * 104729) % 7000) - 3500 }));
  for (let zoom = minZoom; zoom <= 5; zoom += 0.5) {
    const { clusters, single } = gather(all, zoom);
    expect(new Set([...single, ...clusters.flatMap((c) => c.members)]).size).toBe(300);
    expect(single.length + clusters.reduce((n, c) => n + c.members.length, 0)).toBe(300);
  }
});

test('two are two dots, and who stands far away is alone', () => {
  const all = [{ x: 0, z: 0 }, { x: 1, z: 0 }, { x: 900, z: 900 }];
  expect(gather(all, -3)).toEqual({ clusters: [], single: all });
});

test('a crowd on a border of squares is one', () => {
  const size = 44 * 8; // at zoom -3
  const all = [-3, -2, -1, 1, 2, 3].map((x) => ({ x: size + x, z: 5 }));
  expect(gather(all, -3).clusters.map((c) => c.members.length)).toEqual([6]);
});
