import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => {});
const { parseRoute } = await import('../router');
const { readView, writeView } = await import('./address');

const areas = ['hyperion', 'haron'];
const read = (hash: string) => readView(parseRoute(hash), areas);

test('an address names what the map shows, and leads back to it', () => {
  const address = '#/map/hyperion/2614,-1293/-2.5?player=12';
  const view = read(address);
  expect(view).toEqual({ area: 'hyperion', centre: { x: 2614, z: -1293 }, zoom: -2.5, chosen: { sort: 'player', key: '12' }, follow: false });
  expect(writeView(view)).toBe(address);
});

test('whom the map follows is in the address, too', () => {
  const view = read('#/map?follow=7');
  expect(view).toEqual({ area: '', chosen: { sort: 'player', key: '7' }, follow: true });
  expect(writeView({ ...view, area: 'haron', centre: { x: 0.4, z: -0.4 }, zoom: 1 })).toBe('#/map/haron/0,0/1?follow=7');
});

test('places, people and portals are named by their keys', () => {
  expect(read('#/map/haron?place=gifes').chosen).toEqual({ sort: 'place', key: 'gifes' });
  expect(read('#/map/haron?townsman=npc-0fc2').chosen).toEqual({ sort: 'townsman', key: 'npc-0fc2' });
});

test('what is no address of a view is left out', () => {
  expect(read('#/map')).toEqual({ area: '', follow: false });
  expect(read('#/map/atlantis/1,2/3')).toEqual({ area: '', zoom: 3, follow: false });
  expect(read('#/map/hyperion/north,2/deep')).toEqual({ area: 'hyperion', follow: false });
  expect(read('#/map/hyperion/5/')).toEqual({ area: 'hyperion', follow: false });
  expect(read('#/map/hyperion/1,2/99').zoom).toBe(5);
});
