import type { Levels, Role } from '../answers';
import { parseCoordinates, wholeLevel } from '../format';
import type { Speech, Word } from '../i18n';

/** Whom or what an action is about. */
export interface Target {
  /** What people call it. */
  name: string;
  /** Of the player while it is in the world. */
  player?: number;
  /** Of the character, for ever. */
  character?: number;
  level?: Levels;
  /** Whether it is dead, as far as that is known. */
  dead?: boolean;
  points?: { title: number; degree: number };
  /** Of the account. */
  account?: number;
  login?: string;
  role?: Role;
  /** An address or a network. */
  address?: string;
  /** Number of a thing that a character carries. */
  item?: number;
  /** Number of a note. */
  note?: number;
  /** A backup. */
  file?: string;
  /** What a rate is of. */
  rate?: string;
  /** Of the monster. */
  monster?: number;
  /** A place of the world. */
  at?: { x: number; y: number; z: number };
}

/** Values of a form by field. */
export type Values = Record<string, string>;

export type FieldKind = 'text' | 'lines' | 'number' | 'minutes' | 'password' | 'role' | 'destination' | 'item' | 'choice' | 'factor' | 'datetime';

export interface FieldSpec {
  name: string;
  label: Word;
  kind: FieldKind;
  hint?: Word;
  required?: boolean;
  first?: string | ((t: Target) => string);
  /** Of a choice: values, and how people call them. */
  options?: readonly (readonly [string, Word])[];
}

/** Something that an operator can do, with the form that asks for the details. */
export interface Action {
  title: Word;
  /** What it does, and what would be lost; {name} is the target's. */
  explains?: Word;
  need: Role;
  danger?: boolean;
  /** What cannot be undone is done only when the target's name is typed. */
  confirm?: boolean;
  fields: FieldSpec[];
  /** The verb of operators that does it. */
  verb: string;
  body(values: Values, target: Target): Record<string, unknown>;
  done: Word;
}

const reason: FieldSpec = { name: 'reason', label: 'reason', kind: 'text', hint: 'reasonHint' };
const minutes: FieldSpec = { name: 'minutes', label: 'howLong', kind: 'minutes', first: '60' };
const text: FieldSpec = { name: 'text', label: 'text', kind: 'lines', required: true };
const password: FieldSpec = { name: 'password', label: 'password', kind: 'password', required: true };

const reasonOnly = (v: Values) => ({ reason: v.reason ?? '' });
const nothing = () => ({});
const ofCharacter = (_: Values, t: Target) => ({ id: t.character });
const ofAccount = (_: Values, t: Target) => ({ id: t.account });
const ofFile = (_: Values, t: Target) => ({ file: t.file });

/** A number of a form that was checked; 0 for none. */
const count = (v: string | undefined) => Number(v?.trim() || 0);

/** A number of a form that may have a fraction, after a point or a comma. */
const decimal = (v: string | undefined) => Number((v ?? '').trim().replace(',', '.'));

/** How long a ban or a mute lasts, and why: 0 minutes of the form are for ever. */
function penalty(v: Values): Record<string, unknown> {
  const n = count(v.minutes);
  return { ...(n > 0 ? { until: new Date(Date.now() + 60_000 * n).toISOString() } : {}), ...reasonOnly(v) };
}

/** Where a teleport leads: a place, coordinates, or another player. */
function destination(v: Values, t: Target): Record<string, unknown> {
  if (v.way === 'coordinates') return { id: t.character, position: { ...parseCoordinates(v.coordinates ?? ''), yaw: 0 }, keepYaw: true };
  if (v.way === 'player') return { id: t.character, beside: v.toPlayer ?? '' };
  return { id: t.character, place: v.place ?? '' };
}

/** A thing by what was chosen from the catalogue, or by what was typed. */
function gift(v: Values, t: Target): Record<string, unknown> {
  return { id: t.character, item: v.kind || v.item, count: count(v.count), ...(v.suffix ? { suffix: Number(v.suffix) } : {}) };
}

/** A monster of a kind at a place; without a level it is one that its kind usually has. */
function summoned(v: Values, t: Target): Record<string, unknown> {
  const level = count(v.level);
  return { monster: v.monster?.trim(), ...(level ? { level } : {}), named: v.strength === 'named', rewards: v.rewards === 'usual', at: { ...t.at, yaw: 0 } };
}

function money(v: Values, t: Target): Record<string, unknown> {
  const amount = count(v.amount);
  return { id: t.character, amount: v.how === 'take' ? -amount : amount, relative: v.how !== 'set' };
}

function levels(v: Values, t: Target): Record<string, unknown> {
  const of = (level: string, rebirths: string) => wholeLevel(count(v[level]), count(v[rebirths]));
  return { id: t.character, title: of('title', 'titleRebirths'), degree: of('degree', 'degreeRebirths') };
}

const levelField = (name: keyof Levels, label: Word): FieldSpec => ({ name, label, kind: 'number', required: true, first: (t) => String(t.level?.[name] ?? (name.endsWith('Rebirths') ? 0 : 1)) });

export const actions = {
  kick: { title: 'kick', explains: 'kickExplains', need: 'helper', danger: true, fields: [reason], verb: 'account-kick', body: (v, t) => ({ login: t.login, ...reasonOnly(v) }), done: 'kickDone' },
  note: { title: 'writeNote', explains: 'writeNoteExplains', need: 'helper', fields: [text], verb: 'note-add', body: (v, t) => ({ id: t.account, text: (v.text ?? '').replace(/\s+/g, ' ') }), done: 'writeNoteDone' },
  deleteNote: { title: 'deleteNote', explains: 'deleteNoteExplains', need: 'gamemaster', danger: true, fields: [], verb: 'note-delete', body: (_, t) => ({ id: t.note }), done: 'deleteNoteDone' },
  message: { title: 'message', need: 'gamemaster', fields: [text], verb: 'say', body: (v, t) => ({ login: t.login, text: v.text }), done: 'messageDone' },
  teleport: {
    title: 'teleport',
    explains: 'teleportExplains',
    need: 'gamemaster',
    fields: [{ name: 'way', label: 'destination', kind: 'destination' }],
    verb: 'character-move',
    body: destination,
    done: 'teleportDone',
  },
  unstuck: { title: 'unstuck', explains: 'unstuckExplains', need: 'gamemaster', fields: [], verb: 'character-unstuck', body: ofCharacter, done: 'teleportDone' },
  heal: { title: 'heal', explains: 'healExplains', need: 'gamemaster', fields: [], verb: 'character-heal', body: ofCharacter, done: 'healDone' },
  revive: { title: 'revive', explains: 'reviveExplains', need: 'gamemaster', fields: [], verb: 'character-revive', body: ofCharacter, done: 'reviveDone' },
  give: {
    title: 'give',
    need: 'gamemaster',
    fields: [
      { name: 'item', label: 'item', kind: 'item', required: true, hint: 'itemHint' },
      { name: 'count', label: 'pieces', kind: 'number', first: '1', required: true },
    ],
    verb: 'character-give',
    body: gift,
    done: 'giveDone',
  },
  money: {
    title: 'changeMoney',
    need: 'administrator',
    fields: [
      { name: 'how', label: 'moneyHow', kind: 'choice', first: 'add', options: [['add', 'moneyAdd'], ['take', 'moneyTake'], ['set', 'moneySet']] },
      { name: 'amount', label: 'moneyAmount', kind: 'number', required: true },
    ],
    verb: 'character-money',
    body: money,
    done: 'moneyDone',
  },
  levels: {
    title: 'changeLevels',
    explains: 'levelsExplains',
    need: 'administrator',
    fields: [levelField('title', 'titleLevel'), levelField('titleRebirths', 'titleRebirths'), levelField('degree', 'degreeLevel'), levelField('degreeRebirths', 'degreeRebirths')],
    verb: 'character-level',
    body: levels,
    done: 'levelsDone',
  },
  points: {
    title: 'changePoints',
    explains: 'pointsExplain',
    need: 'administrator',
    fields: [
      { name: 'title', label: 'titlePoints', kind: 'number', first: (t) => String(t.points?.title ?? '') },
      { name: 'degree', label: 'degreePoints', kind: 'number', first: (t) => String(t.points?.degree ?? '') },
    ],
    verb: 'character-points',
    body: (v, t) => ({ id: t.character, ...(v.title ? { title: count(v.title) } : {}), ...(v.degree ? { degree: count(v.degree) } : {}) }),
    done: 'pointsDone',
  },
  giveMission: {
    title: 'giveMission',
    explains: 'giveMissionExplains',
    need: 'gamemaster',
    fields: [{ name: 'goal', label: 'missionGoal', kind: 'choice', first: 'title', options: [['title', 'goal.title'], ['degree', 'goal.degree'], ['money', 'goal.money'], ['karma', 'goal.karma']] }, { name: 'template', label: 'missionTemplate', kind: 'text', hint: 'missionTemplateHint' }],
    verb: 'character-mission',
    body: (v, t) => ({ id: t.character, do: 'give', goal: v.goal, ...(v.template ? { template: v.template } : {}) }),
    done: 'giveMissionDone',
  },
  finishMission: { title: 'finishMission', explains: 'finishMissionExplains', need: 'gamemaster', fields: [], verb: 'character-mission', body: (_, t) => ({ id: t.character, do: 'finish' }), done: 'finishMissionDone' },
  cancelMission: { title: 'cancelMission', explains: 'cancelMissionExplains', need: 'gamemaster', danger: true, fields: [], verb: 'character-mission', body: (_, t) => ({ id: t.character, do: 'cancel' }), done: 'cancelMissionDone' },
  summon: {
    title: 'summon',
    explains: 'summonExplains',
    need: 'gamemaster',
    fields: [
      { name: 'monster', label: 'summonMonster', kind: 'text', required: true, hint: 'summonMonsterHint' },
      { name: 'level', label: 'monsterLevel', kind: 'number', hint: 'summonLevelHint' },
      { name: 'strength', label: 'summonStrength', kind: 'choice', first: 'common', options: [['common', 'summonCommon'], ['named', 'summonNamed']] },
      { name: 'rewards', label: 'summonRewards', kind: 'choice', first: 'none', options: [['none', 'summonNoRewards'], ['usual', 'summonUsualRewards']] },
    ],
    verb: 'monster-summon',
    body: summoned,
    done: 'summonDone',
  },
  removeMonster: { title: 'removeMonster', explains: 'removeMonsterExplains', need: 'gamemaster', danger: true, fields: [], verb: 'monster-remove', body: (_, t) => ({ id: t.monster }), done: 'monsterRemoved' },
  spawnersOff: { title: 'spawnersOff', explains: 'spawnersOffExplains', need: 'gamemaster', danger: true, fields: [], verb: 'spawner-set', body: (_, t) => ({ at: { ...t.at, yaw: 0 }, off: true }), done: 'spawnersTurnedOff' },
  take: { title: 'take', explains: 'takeExplains', need: 'administrator', danger: true, fields: [], verb: 'character-clear', body: (_, t) => ({ id: t.character, item: t.item }), done: 'takeDone' },
  clear: {
    title: 'clear',
    explains: 'clearExplains',
    need: 'administrator',
    danger: true,
    confirm: true,
    fields: [{ name: 'what', label: 'clearWhat', kind: 'choice', first: 'inventory', options: [['inventory', 'clearInventory'], ['all', 'clearAll']] }],
    verb: 'character-clear',
    body: (v, t) => ({ id: t.character, all: v.what === 'all' }),
    done: 'clearDone',
  },
  rename: {
    title: 'rename',
    explains: 'renameExplains',
    need: 'administrator',
    fields: [{ name: 'newName', label: 'newName', kind: 'text', required: true, first: (t) => t.name }],
    verb: 'character-rename',
    body: (v, t) => ({ id: t.character, newName: v.newName?.trim() }),
    done: 'renameDone',
  },
  deleteCharacter: { title: 'deleteCharacter', explains: 'deleteCharacterExplains', need: 'administrator', danger: true, confirm: true, fields: [], verb: 'character-delete', body: ofCharacter, done: 'deleteDone' },
  undelete: { title: 'undelete', explains: 'undeleteExplains', need: 'administrator', fields: [], verb: 'character-undelete', body: ofCharacter, done: 'undeleteDone' },
  mute: { title: 'mute', explains: 'muteExplains', need: 'helper', fields: [minutes, reason], verb: 'account-mute', body: (v, t) => ({ id: t.account, ...penalty(v) }), done: 'muteDone' },
  unmute: { title: 'unmute', need: 'helper', fields: [], verb: 'account-unmute', body: ofAccount, done: 'unmuteDone' },
  ban: { title: 'ban', explains: 'banExplains', need: 'gamemaster', danger: true, fields: [{ ...minutes, first: '0' }, reason], verb: 'account-ban', body: (v, t) => ({ id: t.account, confirm: '', ...penalty(v) }), done: 'banDone' },
  unban: { title: 'unban', need: 'gamemaster', fields: [], verb: 'account-unban', body: ofAccount, done: 'unbanDone' },
  role: {
    title: 'changeRole',
    explains: 'roleExplains',
    need: 'administrator',
    fields: [{ name: 'role', label: 'role', kind: 'role' }],
    verb: 'account-role',
    body: (v, t) => ({ id: t.account, role: v.role }),
    done: 'roleDone',
  },
  password: { title: 'newPassword', explains: 'passwordExplains', need: 'administrator', danger: true, fields: [password], verb: 'account-passwd', body: (v, t) => ({ id: t.account, password: v.password }), done: 'passwordDone' },
  addAccount: {
    title: 'addAccount',
    need: 'administrator',
    fields: [{ name: 'login', label: 'login', kind: 'text', required: true }, password, { name: 'role', label: 'role', kind: 'role' }],
    verb: 'account-add',
    body: (v) => ({ login: v.login?.trim(), password: v.password, role: v.role }),
    done: 'addAccountDone',
  },
  deleteAccount: { title: 'deleteAccount', explains: 'deleteAccountExplains', need: 'administrator', danger: true, confirm: true, fields: [], verb: 'account-delete', body: ofAccount, done: 'deleteDone' },
  banAddress: {
    title: 'banAddress',
    explains: 'banAddressExplains',
    need: 'administrator',
    danger: true,
    fields: [{ name: 'address', label: 'address', kind: 'text', required: true, hint: 'addressHint', first: (t) => t.address ?? '' }, { name: 'width', label: 'addressWidth', kind: 'choice', first: 'narrow', options: [['narrow', 'addressNarrow'], ['wide', 'addressWide']] }, { ...minutes, first: '1440' }, { ...reason, hint: 'reasonOperators' }],
    verb: 'address-ban',
    body: (v) => ({ address: v.address, wide: v.width === 'wide', ...penalty(v) }),
    done: 'banAddressDone',
  },
  unbanAddress: { title: 'unbanAddress', need: 'administrator', fields: [], verb: 'address-unban', body: (_, t) => ({ address: t.address }), done: 'unbanDone' },
  restore: { title: 'restore', explains: 'restoreExplains', need: 'administrator', danger: true, fields: [], verb: 'backup-restore', body: ofFile, done: 'restoreDone' },
  deleteBackup: { title: 'delete', explains: 'deleteBackupExplains', need: 'administrator', danger: true, fields: [], verb: 'backup-delete', body: ofFile, done: 'deleteDone' },
  stopServer: {
    title: 'stopServer',
    explains: 'stopServerExplains',
    need: 'administrator',
    danger: true,
    fields: [{ name: 'minutes', label: 'stopMinutes', kind: 'number', first: '10', required: true }, reason],
    verb: 'server-stop',
    body: (v) => ({ seconds: 60 * count(v.minutes), ...reasonOnly(v) }),
    done: 'stopServerDone',
  },
  setRate: {
    title: 'setRate',
    explains: 'setRateExplains',
    need: 'administrator',
    fields: [
      { name: 'factor', label: 'rateFactor', kind: 'factor', first: '2', required: true, hint: 'rateFactorHint' },
      { name: 'seconds', label: 'rateHours', kind: 'number', first: '48', hint: 'rateHoursHint' },
      { name: 'from', label: 'rateFrom', kind: 'datetime', hint: 'rateFromHint' },
    ],
    verb: 'rate-set',
    body: (v, t) => ({ rate: t.rate, factor: decimal(v.factor), seconds: 3600 * count(v.seconds), ...(v.from ? { from: new Date(v.from).toISOString() } : {}) }),
    done: 'setRateDone',
  },
  endRate: { title: 'endRate', explains: 'endRateExplains', need: 'administrator', danger: true, fields: [], verb: 'rate-end', body: (_, t) => ({ rate: t.rate }), done: 'endRateDone' },
  setMotd: {
    title: 'setMotd',
    explains: 'setMotdExplains',
    need: 'gamemaster',
    fields: [{ name: 'text', label: 'motdText', kind: 'text', required: true }],
    verb: 'motd-set',
    body: (v) => ({ text: v.text }),
    done: 'setMotdDone',
  },
  endMotd: { title: 'endMotd', explains: 'endMotdExplains', need: 'gamemaster', danger: true, fields: [], verb: 'motd-end', body: nothing, done: 'endMotdDone' },
  beginMaintenance: {
    title: 'beginMaintenance',
    explains: 'beginMaintenanceExplains',
    need: 'administrator',
    danger: true,
    fields: [{ name: 'admit', label: 'maintenanceAdmit', kind: 'lines', hint: 'maintenanceAdmitHint' }],
    verb: 'maintenance-on',
    body: (v) => ({ admit: (v.admit ?? '').split('\n').map((login) => login.trim()).filter(Boolean) }),
    done: 'beginMaintenanceDone',
  },
  endMaintenance: { title: 'endMaintenance', explains: 'endMaintenanceExplains', need: 'administrator', fields: [], verb: 'maintenance-off', body: nothing, done: 'endMaintenanceDone' },
  keepServer: { title: 'keepServer', explains: 'keepServerExplains', need: 'administrator', fields: [], verb: 'server-stay', body: nothing, done: 'keepServerDone' },
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
    else if (f.kind === 'factor' && value !== '' && !/^\d+([.,]\d+)?$/.test(value)) wrong[f.name] = t('factorWanted');
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
    const first = typeof f.first === 'function' ? f.first(target) : (f.first ?? '');
    values[f.name] = f.kind === 'role' ? (target.role ?? 'player') : f.kind === 'destination' ? 'place' : first;
  }
  return values;
}
