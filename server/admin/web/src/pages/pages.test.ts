import { expect, test, vi } from 'vitest';
import type { Action } from '../actions/actions';
import type { Instance, Sheet, Status } from '../answers';

vi.stubGlobal('navigator', { languages: ['en'] });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => {});
const { actions, check, firstValues, may } = await import('../actions/actions');
const { problemOf, withQuery } = await import('../api');
await import('../words/all');
const { speech } = await import('../i18n');
const { kept, sorted } = await import('../parts/table');
const { href, parseRoute } = await import('../router');
const { passes, wordsOf } = await import('./log');
const { faultyLine, lineAt } = await import('./balance');
const { plain } = await import('./accounts');
const { host } = await import('../actions/buttons');
const { joined, mentions } = await import('./audit');
const { suffixName } = await import('../parts/itempicker');
const { above, ceiling, common, steps } = await import('../parts/scale');
const { missionActions, missionLines } = await import('../actions/mission');
const { has, monstersIn, stateOf, thingsIn } = await import('./instances');
const { newest, toneOf, troubles } = await import('../parts/verdict');
const { maintenanceSource } = await import('./orders');

const { apart, members } = await import('./desk');

const t = speech('en');

test('the desk shows each account of a group, and how far somebody leapt', () => {
  const account = (id: number) => ({ id, login: `a${id}`, role: 'player' as const, characters: [], banned: false, muted: false, online: false });
  const all = members([
    { kind: 'address', of: '192.0.2.1', count: 2, accounts: [account(1), account(2)] },
    { kind: 'name', of: 'owl', count: 1, accounts: [account(1)] },
  ]);
  expect(all.map((m) => `${m.group.of} ${m.login}`)).toEqual(['192.0.2.1 a1', '192.0.2.1 a2', 'owl a1']);
  expect(apart({ x: 0, y: 0, z: 0, yaw: 0 }, { x: 3, y: 0, z: 4, yaw: 1 })).toBe(5);
  expect(actions.note.body({ text: 'two\nlines' }, { name: 'a', account: 7 })).toEqual({ id: 7, text: 'two lines' });
});

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
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  const level = { title: 12, degree: 3, titleRebirths: 1, degreeRebirths: 0 };
  const target = { name: 'Ann', login: 'ann', player: 7, character: 5, level, account: 3, role: 'helper' as const, item: 44, address: '192.0.2.7', file: 'a b.db' };
  const sent = (a: Action, values: Record<string, string>) => [a.verb, a.body({ ...firstValues(a.fields, target), ...values }, target)];
  expect(sent(actions.kick, { reason: 'x' })).toEqual(['account-kick', { login: 'ann', reason: 'x' }]);
  expect(sent(actions.ban, {})).toEqual(['account-ban', { id: 3, confirm: '', reason: '' }]);
  expect(sent(actions.mute, {})).toEqual(['account-mute', { id: 3, until: '2030-01-01T01:00:00.000Z', reason: '' }]);
  expect(sent(actions.role, {})).toEqual(['account-role', { id: 3, role: 'helper' }]);
  expect(sent(actions.heal, {})).toEqual(['character-heal', { id: 5 }]);
  expect(sent(actions.revive, {})).toEqual(['character-revive', { id: 5 }]);
  expect(sent(actions.stopServer, { minutes: '10', reason: 'x' })).toEqual(['server-stop', { seconds: 600, reason: 'x' }]);
  const rate = { name: 'drops', rate: 'drops' };
  expect(actions.setRate.body({ ...firstValues(actions.setRate.fields, rate), factor: '1,5' }, rate)).toEqual({ rate: 'drops', factor: 1.5, seconds: 172_800 });
  expect(actions.setRate.body({ factor: '3', seconds: '', from: '2026-12-31T18:00' }, rate)).toEqual({ rate: 'drops', factor: 3, seconds: 0, from: new Date(2026, 11, 31, 18).toISOString() });
  expect(actions.endRate.body({}, rate)).toEqual({ rate: 'drops' });
  expect(sent(actions.give, { item: 'bread', count: '5' })).toEqual(['character-give', { id: 5, item: 'bread', count: 5 }]);
  expect(sent(actions.give, { item: 'Bread', kind: '17', suffix: '0' })[1]).toEqual({ id: 5, item: '17', count: 1, suffix: 0 });
  expect(sent(actions.teleport, { place: 'sunpool' })).toEqual(['character-move', { id: 5, place: 'sunpool' }]);
  expect(sent(actions.teleport, { way: 'coordinates', coordinates: '1 2 3' })[1]).toEqual({ id: 5, position: { x: 1, y: 2, z: 3, yaw: 0 }, keepYaw: true });
  expect(sent(actions.teleport, { way: 'player', toPlayer: 'Bob' })[1]).toEqual({ id: 5, beside: 'Bob' });
  expect(sent(actions.money, { how: 'take', amount: '9' })[1]).toEqual({ id: 5, amount: -9, relative: true });
  expect(sent(actions.money, { how: 'set', amount: '9' })[1]).toEqual({ id: 5, amount: 9, relative: false });
  expect(sent(actions.levels, { degree: '4' })[1]).toEqual({ id: 5, title: 72, degree: 4 });
  const spot = { name: '10, 150, 20', at: { x: 10, y: 150, z: 20 } };
  const summon = (values: Record<string, string>) => actions.summon.body({ ...firstValues(actions.summon.fields, spot), ...values }, spot);
  expect(actions.summon.verb).toBe('monster-summon');
  expect(summon({ monster: ' Wolf ' })).toEqual({ monster: 'Wolf', named: false, rewards: false, at: { x: 10, y: 150, z: 20, yaw: 0 } });
  expect(summon({ monster: '1011', level: '7', strength: 'named', rewards: 'usual' })).toEqual({ monster: '1011', level: 7, named: true, rewards: true, at: { x: 10, y: 150, z: 20, yaw: 0 } });
  expect(Object.keys(check(actions.summon.fields, { monster: '', level: 'x' }, t))).toEqual(['monster', 'level']);
  expect(['helper', 'gamemaster'].map((r) => may(r as 'helper', actions.summon.need))).toEqual([false, true]);
  expect(sent(actions.giveMission, {})).toEqual(['character-mission', { id: 5, do: 'give', goal: 'title' }]);
  expect(sent(actions.finishMission, {})[1]).toEqual({ id: 5, do: 'finish' });
  expect(sent(actions.cancelMission, {})[1]).toEqual({ id: 5, do: 'cancel' });
  const wolf = { name: 'Wolf', monster: 9, at: spot.at };
  expect(actions.removeMonster.body({}, wolf)).toEqual({ id: 9 });
  expect(actions.spawnersOff.body({}, wolf)).toEqual({ at: { x: 10, y: 150, z: 20, yaw: 0 }, off: true });
  expect(sent(actions.take, {})[1]).toEqual({ id: 5, item: 44 });
  expect(sent(actions.clear, { what: 'all' })[1]).toEqual({ id: 5, all: true });
  expect(sent(actions.rename, { newName: ' Eve ' })[1]).toEqual({ id: 5, newName: 'Eve' });
  expect(sent(actions.addAccount, { login: 'eve', password: 'x', role: 'player' })[1]).toEqual({ login: 'eve', password: 'x', role: 'player' });
  expect(sent(actions.banAddress, {})[1]).toEqual({ address: '192.0.2.7', until: '2030-01-02T00:00:00.000Z', reason: '', wide: false });
  expect(sent(actions.restore, {})).toEqual(['backup-restore', { file: 'a b.db' }]);
  vi.useRealTimers();
});

test('what is wrong is said at its field', () => {
  expect(check(actions.message.fields, { text: ' ' }, t)).toEqual({ text: t('required') });
  expect(check(actions.give.fields, { item: 'x', count: 'many', suffix: '' }, t)).toEqual({ count: t('wholeNumber') });
  expect(check(actions.give.fields, { item: '', count: '' }, t)).toEqual({ item: t('required'), count: t('required') });
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

test('rows that somebody points at keep their order, and new ones come to their places', () => {
  const id = (r: { id: number }) => r.id;
  const rows = [4, 9, 1, 2].map((n) => ({ id: n }));
  expect(kept(rows, id, [1, 2, 3, 4]).map(id)).toEqual([1, 9, 2, 4]);
  expect(kept(rows, id, [])).toEqual(rows);
  expect(kept([], id, [1])).toEqual([]);
});

test('the log shows lines from a level on, with a text in them', () => {
  const line = { number: 1, at: '', level: 'WARN', message: 'Login refused', attrs: { login: 'vasya' } };
  expect([passes(line, 'debug', ''), passes(line, 'warn', 'VASYA'), passes(line, 'error', ''), passes(line, 'debug', 'petya')]).toEqual([true, true, false, false]);
});

test('the log is in the language of the reader where it has the words', () => {
  const russian = { message: 'вход отклонён', attrs: { логин: 'vasya' } };
  const line = { number: 1, at: '', level: 'WARN', message: 'login refused', attrs: { login: 'vasya' }, russian };
  expect([wordsOf(line, 'ru').message, wordsOf(line, 'en').message]).toEqual(['вход отклонён', 'login refused']);
  expect(wordsOf({ ...line, russian: undefined }, 'ru')).toEqual({ message: 'login refused', attrs: { login: 'vasya' }, own: false });
  expect([passes(line, 'debug', 'Вход'), passes(line, 'debug', 'refused'), passes(line, 'debug', 'логин')]).toEqual([true, true, true]);
});

test('a fault of the balance file is shown where it is', () => {
  expect(faultyLine('Файл баланса не изменён: настройки: /srv/balance.toml:12:3: loot.bag: нужно число; /srv/balance.toml:20:1: x')).toBe(12);
  expect(faultyLine('x.toml:1:1: y')).toBe(0);
  const text = 'a\nbcd\n\ne';
  expect([1, 2, 3, 4, 9].map((n) => text.slice(...lineAt(text, n)))).toEqual(['a', 'bcd', '', 'e', '']);
});

test('what cannot be undone is asked for by name', () => {
  const final: (keyof typeof actions)[] = ['deleteAccount', 'deleteCharacter', 'clear'];
  for (const name of final) expect((actions[name] as Action).confirm, name).toBe(true);
  // What a wrong click would cost much is at least explained and asked for.
  for (const name of ['removeMonster', 'spawnersOff'] as const) expect(actions[name], name).toMatchObject({ danger: true, explains: `${name}Explains` });
});

test('the server is well, or says what is wrong, the worst first', () => {
  const now = Date.parse('2026-01-10T00:00:00Z');
  const well = { saving: true, uptimeSeconds: 86400, configFault: null, tick: { p50: 1, p99: 2, max: 3 }, store: { p50: 1, p99: 2, queue: 0 }, lastBackup: { at: '2026-01-01T00:00:00Z', file: 'a.db', late: false } } as unknown as Status;
  const said = (change: object) => troubles({ ...well, ...change }, t, now);
  expect(said({})).toEqual([]);
  expect(toneOf(said({}))).toBe('good');
  expect(said({ lastBackup: null }).map((one) => one.text)).toEqual([t('troubleNoBackup')]);
  expect(said({ lastBackup: null, uptimeSeconds: 60 })).toEqual([]);
  expect(said({ configFault: { ru: 'ключ', en: 'key' } })[0]!.text).toContain('key');
  expect(said({ lastBackup: { at: '2026-01-01T00:00:00Z', file: 'a.db', late: true } })[0]!.text).toContain('9 d');
  expect(said({ uptimeSeconds: 9, tick: { p50: 1, p99: 147, max: 200 } })).toEqual([]);
  const bad = said({ saving: false, tick: { p50: 1, p99: 147, max: 200 } });
  expect([bad.length, bad[0]!.text, toneOf(bad)]).toEqual([2, t('troubleSaving'), 'bad']);
});

test('the newest of the server is shown, and is stale only where the server answers nowhere', () => {
  const of = (uptimeSeconds: number, started = '2026-01-01T00:00:00Z') => ({ started, uptimeSeconds }) as Status;
  const [told, before, after, again] = [of(60), of(55), of(65), of(5, '2026-01-01T01:00:00Z')];
  expect(newest(told, before, false, false)).toEqual({ now: told, stale: false });
  expect(newest(told, before, true, false)).toEqual({ now: told, stale: true }); // not asked since
  expect(newest(told, after, true, false)).toEqual({ now: after, stale: false });
  expect(newest(told, again, true, false)).toEqual({ now: again, stale: false });
  expect(newest(told, after, true, true)).toEqual({ now: after, stale: true });
  expect(newest(told, undefined, true, false)).toEqual({ now: told, stale: true });
  expect(newest(null, after, true, false)).toEqual({ now: after, stale: false });
  expect(newest(null, undefined, true, true)).toMatchObject({ now: undefined });
});

test('plots have round numbers and room above', () => {
  expect(steps({ binary: true }).slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(Math.min(...steps({ whole: true }))).toBe(1);
  expect(ceiling(3, 50, false)).toBeLessThan(4);
  expect(ceiling(40, 50, false)).toBeGreaterThan(50);
  expect(ceiling(0, undefined, false)).toBe(1);
  expect(ceiling(1, undefined, true)).toBe(4);
});

test('a lone peak does not set the scale of a plot, and is told at the top', () => {
  const ticks = [80, null, 1, 2, 1, 2, 1];
  expect([common(ticks), above(ticks, common(ticks))]).toEqual([2, [0]]);
  expect(common([80, 1])).toBe(80); // too few to know which is usual
  expect(common([8, 7, 6, 5, 4, 3])).toBe(8);
  expect(common([80, 80, 1, 1, 1, 1])).toBe(80); // two are no lone peak
  expect(common([...Array(198).fill(1), 80, 90])).toBe(1); // of two hundred they are
  expect(common([])).toBe(0);
  expect(common([null])).toBe(0);
  expect(above([5, 9, null, 7, 1, 20, 1], 4)).toEqual([5, 1, 3]);
});

test('the audit trail is searched in its sentences', () => {
  const e = { id: 1, at: '', who: 'chief', action: 'account ban', target: 'x', detail: '', sentence: { ru: 'chief забанил x', en: 'chief banned x' } };
  expect([mentions(e, 'banned'), mentions(e, 'забанил'), mentions(e, 'mute')]).toEqual([true, true, false]);
});

test('what is older in the audit trail follows what is newer, each entry once', () => {
  const entries = (...ids: number[]) => ids.map((id) => ({ id, at: '', who: '', action: '', target: '', detail: '', sentence: { ru: '', en: '' } }));
  expect(joined(entries(5, 4), entries(4, 3), entries(3, 1)).map((e) => e.id)).toEqual([5, 4, 3, 1]);
});

test('names of suffixes and of single addresses are short', () => {
  expect(['192.0.2.7:1024', '[2001:db8::1]:99', '192.0.2.7'].map(host)).toEqual(['192.0.2.7', '2001:db8::1', '192.0.2.7']);
  expect([suffixName('Меч урона', 'Меч'), suffixName('Damage sword', 'Sword')]).toEqual(['урона', 'Damage sword']);
  expect(['192.0.2.7/32', '192.0.2.0/24', '2001:db8::1/128'].map(plain)).toEqual(['192.0.2.7', '192.0.2.0/24', '2001:db8::1']);
});

test('instances are found by who is in them, and tell how they are', () => {
  const i = { number: 7, dungeon: 'mission', origin: { x: 0, y: 0, z: 0, yaw: 0 }, owner: 'Ann', began: '2026-01-01T00:00:00Z', players: ['Bob'], monsters: [], chests: 0, opened: 0, things: [], ending: false } as Instance;
  expect(['ann', 'BOB', 'of a miss', '7', 'Eve'].map((s) => has(i, s, t))).toEqual([true, true, true, true, false]);
  const now = Date.parse('2026-01-01T01:00:00Z');
  expect(stateOf(i, now)).toEqual({ word: 'instancePlayed', empty: 0 });
  expect(stateOf({ ...i, emptied: '2026-01-01T00:59:10Z' }, now)).toEqual({ word: 'instanceEmpty', empty: 50 });
  expect(stateOf({ ...i, ending: true }, now).word).toBe('instanceEnding');
});

test('instances tell what is in them', () => {
  const wolf = { name: { ru: 'Волк', en: 'Wolf' }, level: 2 };
  const i = { monsters: [{ ...wolf, named: true, count: 1 }, { ...wolf, named: false, count: 3 }], chests: 2, opened: 1, things: [{ name: { ru: 'Лепёшка', en: 'Bread' }, count: 4 }] } as Instance;
  expect(monstersIn(i, t)).toEqual(['Wolf, level 2 *', '3 × Wolf, level 2']);
  expect(thingsIn(i, t)).toEqual(['chests: 2, opened: 1', '4 × Bread']);
  expect(monstersIn(i, speech('ru'))[0]).toBe('Волк, уровень 2 *');
  expect(thingsIn({ ...i, chests: 0, things: [] }, t)).toEqual([]);
});

test('a mission tells its state, and offers what can be done', () => {
  const mission = { kind: 'k', goal: 'money', level: 3, monster: { ru: 'Волк', en: 'Wolf' }, at: { x: 1, y: 2, z: 3, yaw: 0 }, place: { ru: '', en: 'Torweal' }, ends: '2026-01-01T02:00:00Z' };
  const c = { online: true, mission } as Sheet;
  const now = Date.parse('2026-01-01T01:00:00Z');
  const said = (of: Sheet, at = now) => missionLines(of, at, t).map(([, value]) => value);
  expect(said(c).slice(0, 5)).toEqual([t('missionOpen'), t('mission.k'), 'Wolf, level 3', t('goal.money'), 'Torweal (1.0, 2.0, 3.0)']);
  expect(said(c)[5]).toContain('1 h');
  expect(['mission', 'newcomers'].map((dungeon) => said({ ...c, instance: { number: 4, dungeon } })[0])).toEqual([t('missionInside'), t('missionOpen')]);
  expect(said({ ...c, mission: { ...mission, kind: 's', monster: null } })[2]).toBe('–');
  const rank = { guild: { ru: 'Убийца', en: 'Assassin' }, rank: 2 };
  expect(said({ ...c, mission: { ...mission, rank } })[3]).toBe('Assassin, rank 2');
  expect(said(c, now + 7_200_000)).toMatchObject({ 0: t('missionOver'), 5: '–' });
  expect(missionLines({ online: true } as Sheet, now, t)).toEqual([]);
  expect(missionActions(c)).toEqual(['finishMission', 'cancelMission']);
  expect(missionActions({ ...c, online: false })).toEqual(['cancelMission']);
  expect(missionActions({ online: true } as Sheet)).toEqual(['giveMission']);
  expect(missionActions({ online: false } as Sheet)).toEqual([]);
});

test('no paragraph has blocks in it, which a browser that parses it would put behind it', () => {
  const pages = import.meta.glob<string>(['../**/*.tsx'], { query: '?raw', import: 'default', eager: true });
  const blocks = /<(div|ul|ol|dl|table|section|form|ActionButtons)\b/;
  const wrong = Object.entries(pages).filter(([, text]) => [...text.matchAll(/<p\b(?:[^>]*[^/>])?>[^]*?<\/p>/g)].some(([p]) => blocks.test(p)));
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(Object.keys(pages).length).toBeGreaterThan(20);
});

test('maintenance says by whom it is on, and its logins are lines', () => {
  const by = { by: 'chief', at: '2026-01-02T15:04:05Z' };
  expect(maintenanceSource({ on: true, file: true, admit: [] }, t)).toBe('from the configuration');
  expect(maintenanceSource({ on: true, admit: [], ...by }, t)).toMatch(/^chief, [^;]*$/);
  expect(maintenanceSource({ on: true, file: true, admit: [], ...by }, t)).toMatch(/^chief, .*; from the configuration$/);
  expect(actions.beginMaintenance.body({ admit: 'a, b\n c \n\n' })).toEqual({ admit: ['a, b', 'c'] });
});
