import type { Status } from '../answers';
import { milliseconds, span } from '../format';
import type { Speech } from '../i18n';

/** Whether ticks take so long that the world is late. */
export const isLate = (s: Status) => s.tick.p99 > tickBudget && s.uptimeSeconds > firstTicks;

/** How bad something is. */
export type Tone = 'good' | 'warn' | 'bad';

/** Something that is not as it ought to be. */
export interface Trouble {
  tone: Exclude<Tone, 'good'>;
  text: string;
}

/** A tick has 50 ms: one that takes longer makes the world late. */
export const tickBudget = 50;
/** Seconds after a start in which a long tick is the start itself, with all who come back at once. */
const firstTicks = 30;
/** Writes that players wait for longer than this are felt. */
export const writeBudget = 500;
const manyWrites = 100;
/** Seconds after a start in which there need be no backup: the first is made within them. */
export const firstBackup = 20 * 60;

/** What is wrong with the server, the worst first; nothing where all is well. */
export function troubles(s: Status, t: Speech, now = Date.now()): Trouble[] {
  const l = t.language;
  const all: Trouble[] = [];
  const bad = (so: boolean, text: () => string) => so && all.push({ tone: 'bad', text: text() });
  const warn = (so: boolean, text: () => string) => so && all.push({ tone: 'warn', text: text() });
  const backup = s.lastBackup;
  bad(!s.saving, () => t('troubleSaving'));
  bad(Boolean(backup?.failure), () => t('troubleBackup', { why: backup?.failure ?? '' }));
  warn(s.configFault !== null, () => t('troubleConfig', { why: t.both(s.configFault!) }));
  warn(isLate(s), () => t('troubleTick', { time: milliseconds(s.tick.p99, l), most: milliseconds(tickBudget, l) }));
  warn(s.store.queue > manyWrites || s.store.p99 > writeBudget, () => t('troubleStore', { time: milliseconds(s.store.p99, l), queue: s.store.queue }));
  warn(!backup && s.uptimeSeconds > firstBackup, () => t('troubleNoBackup'));
  warn(Boolean(backup?.late), () => t('troubleOldBackup', { span: span((now - new Date(backup!.at).getTime()) / 1000, l) }));
  return all;
}

/** When a status was told, by the server's clock, in milliseconds. */
const toldAt = (s: Status) => Date.parse(s.started) + 1000 * s.uptimeSeconds;

/**
 * The newest that is known: what the stream told, or what was asked for and answered. It is stale when the stream is lost
 * and the server does not answer questions either, or has not yet been asked since.
 */
export function newest(told: Status | null | undefined, asked: Status | undefined, lost: boolean, unanswered: boolean): { now: Status | undefined; stale: boolean } {
  if (!told || !asked) return { now: told ?? asked, stale: lost && (unanswered || !asked) };
  const answered = toldAt(asked) > toldAt(told);
  return { now: answered ? asked : told, stale: lost && (unanswered || !answered) };
}

/** The worst tone of what is wrong. */
export function toneOf(all: readonly Trouble[]): Tone {
  return all.some((one) => one.tone === 'bad') ? 'bad' : all.length > 0 ? 'warn' : 'good';
}
