import { expect, test, vi } from 'vitest';
import type { Action } from '../actions/actions';

vi.stubGlobal('navigator', { languages: ['en'] });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => {});
const { actions, check, firstValues, may } = await import('../actions/actions');
const { problemOf, withQuery } = await import('../api');
const { speech } = await import('../i18n');
const { sorted } = await import('../parts/table');
const { href, parseRoute } = await import('../router');
const { passes } = await import('./log');

const t = speech('en');

test('addresses lead to pages and back', () => {
  expect(parseRoute('')).toMatchObject({ page: 'map', id: '' });
  const route = parseRoute(href('characters', 12, { search: 'Вася & co' }));
  expect([route.page, route.id, route.query.get('search')]).toEqual(['characters', '12', 'Вася & co']);
  expect(parseRoute('#/accounts/%E0%A4%A').id).toBe('%E0%A4%A');
});

test('a refusal is read with its fields, and anything else without', () => {
  expect(problemOf(400, '{"error":"Wrong.","code":"invalid","fields":{"text":"Required."}}')).toMatchObject({ status: 400, message: 'Wrong.', fields: { text: 'Required.' } });
  expect(problemOf(502, '<html>')).toMatchObject({ status: 502, message: '', fields: {} });
  expect(withQuery('/api/x', { search: '', limit: 5, of: undefined })).toBe('/api/x?limit=5');
});

test('a greater role may do what a smaller one may', () => {
  expect(['player', 'helper', 'gamemaster', 'administrator'].map((r) => may(r as 'player', 'gamemaster'))).toEqual([false, false, true, true]);
  expect(may(undefined, 'helper')).toBe(false);
});

test('forms send what the server asks for', () => {
  const target = { name: 'Ann', player: 7, account: 3, role: 'helper' as const };
  const sent = (a: Action, values: Record<string, string>) => [a.path(target), a.body({ ...firstValues(a.fields, target), ...values })];
  expect(sent(actions.kick, { reason: 'x' })).toEqual(['/api/players/7/kick', { reason: 'x' }]);
  expect(sent(actions.ban, {})).toEqual(['/api/accounts/3/ban', { reason: '' }]);
  expect(sent(actions.mute, {})).toEqual(['/api/accounts/3/mute', { minutes: 60, reason: '' }]);
  expect(sent(actions.role, {})).toEqual(['/api/accounts/3/role', { role: 'helper' }]);
  expect(sent(actions.give, { item: 'bread', count: '5' })[1]).toEqual({ item: 'bread', count: 5 });
  expect(sent(actions.teleport, { place: 'sunpool' })[1]).toEqual({ place: 'sunpool' });
  expect(sent(actions.teleport, { way: 'coordinates', coordinates: '1 2 3' })[1]).toEqual({ x: 1, y: 2, z: 3 });
  expect(sent(actions.teleport, { way: 'player', toPlayer: '9' })[1]).toEqual({ toPlayer: 9 });
});

test('what is wrong is said at its field', () => {
  expect(check(actions.message.fields, { text: ' ' }, t)).toEqual({ text: t('required') });
  expect(check(actions.give.fields, { item: 'x', count: 'many', suffix: '' }, t)).toEqual({ count: t('wholeNumber') });
  expect(check(actions.give.fields, { item: '', count: '', suffix: 'of fire' }, t)).toEqual({ item: t('required'), count: t('required'), suffix: t('wholeNumber') });
  expect(check(actions.teleport.fields, { way: 'coordinates', coordinates: '1 2' }, t)).toEqual({ coordinates: t('threeNumbers') });
  expect(check(actions.kick.fields, { reason: '' }, t)).toEqual({});
});

test('tables are sorted both ways, equal rows as they came', () => {
  const rows = [{ n: 2, s: 'b' }, { n: 10, s: 'a' }, { n: 2, s: 'a' }];
  const columns = [{ key: 'n', title: '', cell: () => '', by: (r: { n: number }) => r.n }];
  expect(sorted(rows, columns, { key: 'n', down: false }).map((r) => r.n + r.s)).toEqual(['2b', '2a', '10a']);
  expect(sorted(rows, columns, { key: 'n', down: true })[0]!.n).toBe(10);
  expect(sorted(rows, columns, { key: '', down: true })).toEqual(rows);
});

test('the log shows lines from a level on, with a text in them', () => {
  const line = { number: 1, at: '', level: 'WARN', message: 'Login refused', attrs: { login: 'vasya' } };
  expect([passes(line, 'debug', ''), passes(line, 'warn', 'VASYA'), passes(line, 'error', ''), passes(line, 'debug', 'petya')]).toEqual([true, true, false, false]);
});
