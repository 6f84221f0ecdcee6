import type { Role } from '../answers';
import { parseCoordinates } from '../format';
import type { Speech, Word } from '../i18n';

/** Whom or what an action is about. */
export interface Target {
  /** What people call it. */
  name: string;
  /** Of the player while it is in the world. */
  player?: number;
  /** Of the account. */
  account?: number;
  login?: string;
  role?: Role;
}

/** Values of a form by field. */
export type Values = Record<string, string>;

export type FieldKind = 'text' | 'lines' | 'number' | 'minutes' | 'password' | 'role' | 'destination';

export interface FieldSpec {
  name: string;
  label: Word;
  kind: FieldKind;
  hint?: Word;
  required?: boolean;
  first?: string;
}

/** Something that an operator can do, with the form that asks for the details. */
export interface Action {
  title: Word;
  /** What it does, and what would be lost; {name} is the target's. */
  explains?: Word;
  need: Role;
  danger?: boolean;
  fields: FieldSpec[];
  path(target: Target): string;
  body(values: Values): Record<string, unknown>;
  done: Word;
}

const reason: FieldSpec = { name: 'reason', label: 'reason', kind: 'text', hint: 'reasonHint' };
const minutes: FieldSpec = { name: 'minutes', label: 'howLong', kind: 'minutes', first: '60' };
const text: FieldSpec = { name: 'text', label: 'text', kind: 'lines', required: true };

const player = (verb: string) => (t: Target) => `/api/players/${t.player}/${verb}`;
const account = (verb: string) => (t: Target) => `/api/accounts/${t.account}/${verb}`;
const reasonOnly = (v: Values) => ({ reason: v.reason ?? '' });
const nothing = () => ({});

/** A number of a form that was checked; 0 for none. */
const count = (v: string | undefined) => Number(v?.trim() || 0);

/** How long a measure lasts: 0 minutes of the form are for ever. */
function timed(v: Values): Record<string, unknown> {
  const n = count(v.minutes);
  return n > 0 ? { minutes: n, reason: v.reason ?? '' } : { reason: v.reason ?? '' };
}

/** Where a teleport leads: a place, coordinates, or another player. */
function destination(v: Values): Record<string, unknown> {
  if (v.way === 'coordinates') return { ...parseCoordinates(v.coordinates ?? '') };
  if (v.way === 'player') return { toPlayer: count(v.toPlayer) };
  return { place: v.place ?? '' };
}

export const actions = {
  kick: { title: 'kick', explains: 'kickExplains', need: 'helper', danger: true, fields: [reason], path: player('kick'), body: reasonOnly, done: 'kickDone' },
  message: { title: 'message', need: 'gamemaster', fields: [text], path: player('message'), body: (v) => ({ text: v.text }), done: 'messageDone' },
  teleport: {
    title: 'teleport',
    explains: 'teleportExplains',
    need: 'gamemaster',
    fields: [{ name: 'way', label: 'destination', kind: 'destination' }],
    path: player('teleport'),
    body: destination,
    done: 'teleportDone',
  },
  unstuck: { title: 'unstuck', explains: 'unstuckExplains', need: 'gamemaster', fields: [], path: player('unstuck'), body: nothing, done: 'teleportDone' },
  give: {
    title: 'give',
    need: 'gamemaster',
    fields: [
      { name: 'item', label: 'item', kind: 'text', required: true, hint: 'itemHint' },
      { name: 'count', label: 'pieces', kind: 'number', first: '1', required: true },
      { name: 'suffix', label: 'suffix', kind: 'number', hint: 'suffixHint' },
    ],
    path: player('give'),
    body: (v) => ({ item: v.item, count: count(v.count), ...(v.suffix ? { suffix: Number(v.suffix) } : {}) }),
    done: 'giveDone',
  },
  mute: { title: 'mute', explains: 'muteExplains', need: 'helper', fields: [minutes, reason], path: account('mute'), body: timed, done: 'muteDone' },
  unmute: { title: 'unmute', need: 'helper', fields: [], path: account('unmute'), body: nothing, done: 'unmuteDone' },
  ban: { title: 'ban', explains: 'banExplains', need: 'gamemaster', danger: true, fields: [{ ...minutes, first: '0' }, reason], path: account('ban'), body: timed, done: 'banDone' },
  unban: { title: 'unban', need: 'gamemaster', fields: [], path: account('unban'), body: nothing, done: 'unbanDone' },
  role: {
    title: 'changeRole',
    explains: 'roleExplains',
    need: 'administrator',
    fields: [{ name: 'role', label: 'role', kind: 'role' }],
    path: account('role'),
    body: (v) => ({ role: v.role }),
    done: 'roleDone',
  },
  password: {
    title: 'newPassword',
    explains: 'passwordExplains',
    need: 'administrator',
    danger: true,
    fields: [{ name: 'password', label: 'password', kind: 'password', required: true }],
    path: account('password'),
    body: (v) => ({ password: v.password }),
    done: 'passwordDone',
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

const ladder: readonly Role[] = ['player', 'helper', 'gamemaster', 'administrator'];

/** All roles, from the least to the greatest. */
export const roles = ladder;

/** Whether somebody with a role may do what needs another. */
export function may(role: Role | undefined, need: Role): boolean {
  return role !== undefined && ladder.indexOf(role) >= ladder.indexOf(need);
}

/** What is wrong with the values of a form, by field, before the server is asked. */
export function check(fields: readonly FieldSpec[], values: Values, t: Speech): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const f of fields) {
    const value = (values[f.name] ?? '').trim();
    if (f.required && value === '') wrong[f.name] = t('required');
    else if ((f.kind === 'number' || f.kind === 'minutes') && value !== '' && !/^\d+$/.test(value)) wrong[f.name] = t('wholeNumber');
    else if (f.kind === 'destination') {
      if (values.way === 'coordinates' && !parseCoordinates(values.coordinates ?? '')) wrong.coordinates = t('threeNumbers');
      if (values.way === 'player' && !values.toPlayer) wrong.toPlayer = t('required');
      if (values.way === 'place' && !values.place) wrong.place = t('required');
    }
  }
  return wrong;
}

/** What the form begins with. */
export function firstValues(fields: readonly FieldSpec[], target: Target): Values {
  const values: Values = {};
  for (const f of fields) {
    values[f.name] = f.kind === 'role' ? (target.role ?? 'player') : f.kind === 'destination' ? 'place' : (f.first ?? '');
  }
  return values;
}
