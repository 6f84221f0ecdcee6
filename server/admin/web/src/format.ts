import type { Language, Speech } from './i18n';

// Figures as people read them. Each function takes the language last.

const units: Record<Language, { bytes: string[]; ms: string; s: string; d: string; h: string; min: string }> = {
  ru: { bytes: ['Б', 'КиБ', 'МиБ', 'ГиБ', 'ТиБ'], ms: 'мс', s: 'с', d: 'д', h: 'ч', min: 'мин' },
  en: { bytes: ['B', 'KiB', 'MiB', 'GiB', 'TiB'], ms: 'ms', s: 's', d: 'd', h: 'h', min: 'min' },
};

const none = '–';

/** A number with at most some digits behind the point. */
export function number(n: number, l: Language, digits = 0): string {
  return n.toLocaleString(l, { maximumFractionDigits: digits });
}

/** Bytes with the greatest fitting unit. */
export function bytes(n: number | null | undefined, l: Language): string {
  if (n === null || n === undefined) return none;
  let unit = 0;
  while (n >= 1024 && unit < 4) {
    n /= 1024;
    unit++;
  }
  return `${number(n, l, unit === 0 || n >= 100 ? 0 : 1)} ${units[l].bytes[unit]}`;
}

/** A text that is not broken between a number and its unit. */
export const unbroken = (text: string): string => text.replace(/(\d) (?=\p{L})/gu, '$1\u00a0');

/** A place whose distance and direction stay in one line: the table of players has little room. */
export const placeLine = (text: string): string =>
  text.replace(/\d+ \p{L} .+$/u, (tail) => tail.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011'));

/** Milliseconds; seconds from ten thousand on. */
export function milliseconds(n: number | null | undefined, l: Language): string {
  if (n === null || n === undefined) return none;
  if (n >= 10_000) return `${number(n / 1000, l, 1)} ${units[l].s}`;
  return `${number(n, l, n >= 100 ? 0 : n >= 10 ? 1 : 2)} ${units[l].ms}`;
}

/** A time span by its two greatest units: "3 d 4 h". */
export function span(seconds: number, l: Language): string {
  const u = units[l];
  const s = Math.max(0, Math.floor(seconds));
  const [d, h, m] = [Math.floor(s / 86_400), Math.floor(s / 3600) % 24, Math.floor(s / 60) % 60];
  if (d > 0) return h > 0 ? `${d} ${u.d} ${h} ${u.h}` : `${d} ${u.d}`;
  if (h > 0) return m > 0 ? `${h} ${u.h} ${m} ${u.min}` : `${h} ${u.h}`;
  if (m > 0) return `${m} ${u.min}`;
  return `${s} ${u.s}`;
}

/** Whose dates and times are written: 24 hours in both languages, and a month that nobody takes for a day. */
export const dates: Record<Language, string> = { ru: 'ru', en: 'en-GB' };

/** A moment, in the time zone of the browser; a dash for none. */
export function moment(at: string | null | undefined, l: Language): string {
  if (!at) return none;
  const date = new Date(at);
  // Go's zero time stands for none.
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1971) return none;
  return date.toLocaleString(dates[l], { dateStyle: l === 'ru' ? 'short' : 'medium', timeStyle: 'medium' });
}

/** What was chosen in a field of date and time, which the browser writes its own way; an empty text for none. */
export function readBack(chosen: string, l: Language): string {
  const date = new Date(chosen);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(dates[l], { dateStyle: 'full', timeStyle: 'short' });
}

/** A level as the server counts: on after a rebirth, which comes after 60. */
export function wholeLevel(level: number, rebirths = 0): number {
  return level + 60 * rebirths;
}

/** The time of day. */
export function clock(at: string, l: Language): string {
  return new Date(at).toLocaleTimeString(dates[l]);
}

/** Coordinates in metres: east–west, height, north–south. */
export function coordinates(p: { x: number; y: number; z: number }): string {
  return [p.x, p.y, p.z].map((v) => v.toFixed(1)).join(', ');
}

/** Three numbers with spaces, commas or semicolons between; undefined for anything else. */
export function parseCoordinates(text: string): { x: number; y: number; z: number } | undefined {
  const parts = text.trim().split(/[\s;]+|,\s*/).filter((p) => p !== '');
  const [x, y, z] = parts.map((p) => Number(p));
  if (parts.length !== 3 || ![x, y, z].every(Number.isFinite)) return undefined;
  return { x: x!, y: y!, z: z! };
}

/** How long a mute, a ban or a recording may last: minutes, and how people call that. */
export function spans(t: Speech): [string, string][] {
  return [
    ['10', t('tenMinutes')],
    ['60', t('oneHour')],
    ['1440', t('oneDay')],
    ['10080', t('oneWeek')],
    ['43200', t('thirtyDays')],
    ['0', t('forEver')],
  ];
}
