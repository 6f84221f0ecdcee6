import { get, me, whoAmI } from './api';
import type { AuditEntry, ChatLine, LogLine, Player, PlayersEvent, Status } from './answers';
import { along, jump, type Walk } from './map/projection';
import { served } from './served';
import { Store } from './store';

// What happens on the server, as its stream of events tells it.

const keptChat = 500;
const keptLog = 1000;
const keptAudit = 500;
const retry = 3000; // ms
const silence = 8000; // ms without the event that comes each second: what is shown is no longer so

export type Link = 'connecting' | 'live' | 'lost';

/** How the stream is doing. */
export const link = new Store<Link>('connecting');

/** When the server was last heard of, in milliseconds as of Date.now(); 0 for not yet. */
export const heard = new Store<number>(0);

/** A player as the map shows it. */
export interface LivePlayer extends Player {
  walk: Walk;
}

/** Everybody in the world by id. The map itself is changed in place; the store is set each time. */
export const players = new Store<Map<number, LivePlayer>>(new Map());
export const status = new Store<Status | null>(null);
export const chat = new Store<ChatLine[]>([]);
export const log = new Store<LogLine[]>([]);
export const audit = new Store<AuditEntry[]>([]);

/** How many milliseconds pass between two positions; measured. */
let period = 1000;
let lastPositions = 0;

/** Takes over what an event about players says, at a time of performance.now(). */
export function takePlayers(known: Map<number, LivePlayer>, event: PlayersEvent, now: number, lasts: number): void {
  for (const id of event.removed) known.delete(id);
  for (const p of event.added) {
    const at = { area: p.area, x: p.x, y: p.y, z: p.z, yaw: p.yaw };
    known.set(p.id, { ...p, walk: { from: at, to: at, began: now, lasts: 0 } });
  }
  for (const [id, x, y, z, yaw] of event.positions) {
    const p = known.get(id);
    if (!p) continue;
    const shown = { ...p.walk.to, ...along(p.walk, now) };
    const to = { area: p.area, x, y, z, yaw };
    const walked = Math.hypot(x - shown.x, y - shown.y, z - shown.z) <= jump;
    p.walk = { from: walked ? shown : to, to, began: now, lasts: walked ? lasts : 0 };
    [p.x, p.y, p.z, p.yaw] = [x, y, z, yaw];
  }
}

/** Adds to a list, the oldest of which is forgotten when there are too many. */
export function append<T>(list: T[], more: T[], kept: number): T[] {
  return [...list, ...more].slice(-kept);
}

/** What was asked for and what has come already, each once, the oldest first. */
export function join<T extends { at: string }>(asked: T[], come: T[], kept: number): T[] {
  const there = new Set(come.map((v) => JSON.stringify(v)));
  const all = [...asked.filter((v) => !there.has(JSON.stringify(v))), ...come];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-kept);
}

/** Asks for what was said, logged and done while nothing was heard. */
function catchUp(): void {
  const take = <T extends { at: string }>(path: string, store: Store<T[]>, kept: number) =>
    void get<T[]>(path).then((lines) => store.set(join(lines, store.value, kept)), () => {});
  take('/api/chat?limit=200', chat, keptChat);
  take('/api/audit?limit=100', audit, keptAudit);
  if (me.value?.role === 'administrator') take('/api/log?limit=500', log, keptLog);
}

let source: EventSource | null = null;
let again: number | undefined;
let watch: number | undefined;
let lastWord = 0; // when the stream that is live was opened, or told of players

/** Gives a stream up, and tries another after a while. */
function lose(stream: EventSource): void {
  link.set('lost');
  stream.close();
  clearTimeout(again);
  again = window.setTimeout(() => {
    // A stream that was refused: perhaps the session is over.
    whoAmI().then(
      () => me.value && listen(),
      () => (again = window.setTimeout(listen, retry)),
    );
  }, retry);
}

/** Gives up a stream that was silent for too long: a connection may be dead long before the browser says so, or for ever. */
function mindSilence(): void {
  if (source && link.value === 'live' && Date.now() - lastWord > silence) lose(source);
}

function listen(): void {
  const stream = new EventSource(served('/api/events'));
  source = stream;
  let first = true;
  const on = <T>(name: string, take: (value: T) => void) =>
    stream.addEventListener(name, (e) => take(JSON.parse((e as MessageEvent<string>).data) as T));

  stream.addEventListener('open', () => {
    first = true;
    lastWord = Date.now();
    link.set('live');
    catchUp();
  });
  on<PlayersEvent>('players', (event) => {
    const now = performance.now();
    const known = first ? new Map<number, LivePlayer>() : players.value;
    if (!first) period = Math.min(3000, Math.max(200, period * 0.8 + (now - lastPositions) * 0.2));
    first = false;
    lastPositions = now;
    lastWord = Date.now();
    heard.set(lastWord);
    // Who wants no motion sees players where they are told to be.
    takePlayers(known, event, now, matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : period);
    players.set(known);
  });
  on<Status>('status', (s) => status.set(s));
  on<ChatLine>('chat', (line) => chat.set(append(chat.value, [line], keptChat)));
  on<LogLine>('log', (line) => log.set(append(log.value, [line], keptLog)));
  on<AuditEntry>('audit', (entry) => audit.set(append(audit.value, [entry], keptAudit)));
  // The browser itself does not try again after a refusal.
  stream.addEventListener('error', () => lose(stream));
}

/** Begins to listen. */
export function begin(): void {
  end();
  link.set('connecting');
  listen();
  watch = window.setInterval(mindSilence, 1000);
}

/** Stops listening and forgets what was told. */
export function end(): void {
  clearTimeout(again);
  clearInterval(watch);
  source?.close();
  source = null;
  heard.set(0);
  players.set(new Map());
  chat.set([]);
  log.set([]);
  audit.set([]);
  status.set(null);
}
