import { describe, expect, test } from 'vitest';
import type { Geography } from '../answers';
import { along, areaAt, fromLatLng, gridLines, gridStep, heading, heightsOf, pixelsPerMetre, toLatLng, type Walk } from './projection';

describe('the map', () => {
  test('has east to the right and north at the top', () => {
    expect(toLatLng({ x: 2614, z: 1293 })).toEqual([1293, 2614]);
    expect(fromLatLng({ lat: 1293, lng: 2614 })).toEqual({ x: 2614, z: 1293 });
  });

  test('shows a metre as a pixel at zoom 0, and twice as large at each zoom more', () => {
    expect([-5, 0, 1, 3].map(pixelsPerMetre)).toEqual([1 / 32, 1, 2, 8]);
  });
});

describe('the grid', () => {
  test('has steps of one, two or five, with room between', () => {
    for (let zoom = -5; zoom <= 5; zoom += 0.25) {
      const step = gridStep(zoom);
      expect(step * pixelsPerMetre(zoom)).toBeGreaterThanOrEqual(32);
      expect(['1', '2', '5']).toContain(String(step)[0]);
    }
    expect([gridStep(-3), gridStep(0), gridStep(2)]).toEqual([1000, 100, 20]);
    expect(gridStep(5)).toBe(5);
  });

  test('has a line at each multiple, on both sides of zero', () => {
    expect(gridLines(-210, 190, 100)).toEqual([-200, -100, 0, 100].map((n) => n + 0));
    expect(gridLines(1, 2, 5)).toEqual([]);
  });
});

test('somebody looks north at yaw 0 and turns clockwise', () => {
  expect(heading(0).map((v) => Math.round(v) + 0)).toEqual([0, -1]);
  expect(heading(Math.PI / 2).map((v) => Math.round(v) + 0)).toEqual([1, 0]);
});

describe('areas', () => {
  const point = (area: string, y: number) => ({ key: `${area} ${y}`, area, x: 0, y, z: 0, name: { ru: '', en: '' }, kind: '' });
  const geography: Geography = {
    peace: 75, version: '', areas: [],
    places: [point('phoebe', -110), point('hyperion', 150), point('hyperion', 170), point('haron', 405), point('', 9000)],
    townsfolk: [],
    portals: [],
  };

  test('are told apart by height alone', () => {
    const heights = heightsOf(geography);
    expect([-200, -100, 100, 165, 260, 300, 5000].map((y) => areaAt(heights, y))).toEqual([
      'phoebe',
      'phoebe',
      'hyperion',
      'hyperion',
      'hyperion',
      'haron',
      'haron',
    ]);
  });

  test('are none where nothing is known', () => {
    expect(areaAt(new Map(), 150)).toBe('');
  });
});

describe('a walk', () => {
  const at = (x: number, yaw = 0) => ({ area: 'hyperion', x, y: 150, z: 0, yaw });
  const walk: Walk = { from: at(100), to: at(104), began: 1000, lasts: 1000 };

  test('is shown from the one position to the other, and no further', () => {
    expect([500, 1000, 1250, 2000, 9000].map((now) => along(walk, now).x)).toEqual([100, 100, 101, 104, 104]);
  });

  test('that takes no time has arrived', () => {
    expect(along({ ...walk, lasts: 0 }, 0).x).toBe(104);
  });

  test('turns the shorter way', () => {
    const { yaw } = along({ from: at(0, 3), to: at(0, -3), began: 0, lasts: 2 }, 1);
    expect(yaw).toBeCloseTo(Math.PI, 5);
  });
});
