import { expect, test, vi } from 'vitest';

vi.stubGlobal('navigator', { languages: ['en'] });
const { append, begin, chat, end, heard, join, link, takePlayers } = await import('./live');
const { me } = await import('./api');
type Known = Parameters<typeof takePlayers>[0];

const player = (id: number, x: number) => ({
  id,
  character: id,
  name: `P${id}`,
  account: `a${id}`,
  role: 'player' as const,
  place: { ru: '', en: '' },
  area: 'hyperion',
  x,
  y: 150,
  z: 0,
  yaw: 0,
  level: { title: 1, degree: 1, titleRebirths: 0, degreeRebirths: 0 },
  hp: 1,
  maxHp: 1,
  clan: '',
  entered: '',
  minutes: 0,
  seconds: 0,
  pingMs: null,
  bytesIn: 0,
  bytesOut: 0,
});

test('players come, walk and go as the stream says', () => {
  const known: Known = new Map();
  takePlayers(known, { at: '', added: [player(1, 0), player(2, 50)], removed: [], positions: [[1, 0, 150, 0, 0], [2, 50, 150, 0, 0]] }, 0, 1000);
  expect([...known.keys()]).toEqual([1, 2]);
  takePlayers(known, { at: '', added: [], removed: [2], positions: [[1, 4, 150, 0, 1], [9, 0, 0, 0, 0]] }, 1000, 1000);
  expect([...known.keys()]).toEqual([1]);
  const { walk, x } = known.get(1)!;
  expect([x, walk.from.x, walk.to.x, walk.began, walk.lasts]).toEqual([4, 0, 4, 1000, 1000]);
});

test('who is told to be elsewhere on the way begins where it is shown', () => {
  const known: Known = new Map();
  takePlayers(known, { at: '', added: [player(1, 0)], removed: [], positions: [[1, 0, 150, 0, 0]] }, 0, 1000);
  takePlayers(known, { at: '', added: [], removed: [], positions: [[1, 4, 150, 0, 0]] }, 0, 1000);
  takePlayers(known, { at: '', added: [], removed: [], positions: [[1, 8, 150, 0, 0]] }, 500, 1000);
  expect(known.get(1)!.walk.from.x).toBe(2);
});

test('a teleport is no walk', () => {
  const known: Known = new Map();
  takePlayers(known, { at: '', added: [player(1, 0)], removed: [], positions: [[1, 0, 150, 0, 0]] }, 0, 1000);
  takePlayers(known, { at: '', added: [], removed: [], positions: [[1, 3000, 150, 0, 0]] }, 1000, 1000);
  expect(known.get(1)!.walk).toMatchObject({ from: { x: 3000 }, lasts: 0 });
});

test('lists forget the oldest, and have nothing twice', () => {
  expect(append([1, 2, 3], [4], 3)).toEqual([2, 3, 4]);
  const [a, b, c] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.5Z', '2026-01-01T00:00:02Z'].map((at) => ({ at }));
  expect(join([a!, b!], [b!, c!], 9)).toEqual([a, b, c]);
  expect(join([a!, b!, c!], [a!], 9)).toEqual([a, b, c]); // what was missed comes behind what was known
  expect(join([a!, b!], [c!], 2)).toEqual([b, c]);
});

test('a stream that says nothing for too long is lost, whatever the browser thinks, and another one is opened', async () => {
  vi.useFakeTimers();
  const streams: Stream[] = [];
  class Stream extends EventTarget {
    closed = false;
    constructor() {
      super();
      streams.push(this);
    }
    close() {
      this.closed = true;
    }
    say = (name: string, data?: object) => this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  let said = [{ at: '2026-01-01T00:00:01Z', text: 'heard' }];
  const nobody = { at: '', positions: [], added: [], removed: [] };
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('fetch', async (path: string) => new Response(path === './api/me' ? '{"login":"chief"}' : path.startsWith('./api/chat') ? JSON.stringify(said) : '[]'));
  me.set({ login: 'chief' } as NonNullable<typeof me.value>);
  begin();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([link.value, streams.length]).toEqual(['connecting', 1]); // nothing was opened that could be silent
  streams[0]!.say('open');
  await vi.advanceTimersByTimeAsync(6000);
  streams[0]!.say('players', nobody);
  const last = heard.value;
  await vi.advanceTimersByTimeAsync(6000);
  expect([link.value, streams[0]!.closed]).toEqual(['live', false]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([link.value, streams[0]!.closed, heard.value]).toEqual(['lost', true, last]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(streams.length).toBe(2);
  said = [...said, { at: '2026-01-01T00:00:02Z', text: 'missed' }];
  streams[1]!.say('open');
  streams[1]!.say('chat', { at: '2026-01-01T00:00:03Z', text: 'new' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(chat.value.map((line) => line.text)).toEqual(['heard', 'missed', 'new']);
  expect([link.value, streams[1]!.closed]).toEqual(['live', false]); // its first word may take a moment
  end();
  vi.useRealTimers();
});
