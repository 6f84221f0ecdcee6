// What the server answers, as JSON has it.

/** A name or a label in both languages. */
export interface Both {
  ru: string;
  en: string;
}

export type Role = 'player' | 'helper' | 'gamemaster' | 'administrator';

/** A point of the world in metres: x grows to the east, z to the north, y upwards. */
export interface Point {
  area: string;
  x: number;
  y: number;
  z: number;
}

export interface Me {
  login: string;
  role: Role;
  csrf: string;
  language: string;
  version: string;
  name: string;
}

export interface Levels {
  title: number;
  degree: number;
  titleRebirths?: number;
  degreeRebirths?: number;
}

export interface Player extends Point {
  id: number;
  character: number;
  name: string;
  account: string;
  role: Role;
  place: Both;
  yaw: number;
  level: Levels;
  hp: number;
  maxHp: number;
  clan: string;
  minutes: number;
  entered?: string;
  address?: string;
  pingMs?: number | null;
  bytesIn?: number;
  bytesOut?: number;
}

export interface Area {
  key: string;
  name: Both;
  open: boolean;
  /** Least x and z, greatest x and z. */
  bounds: [number, number, number, number] | null;
}

export interface Place extends Point {
  key: string;
  name: Both;
  kind: string;
}

export interface Townsman extends Point {
  key: string;
  label: Both;
  kind: string;
  angle: number;
  town?: string;
}

export interface Portal extends Point {
  key: string;
  class: number;
  angle: number;
  place?: string;
  to?: Point;
}

export interface Geography {
  areas: Area[];
  places: Place[];
  townsfolk: Townsman[];
  portals: Portal[];
}

export interface Status {
  name: string;
  version: string;
  started: string;
  uptimeSeconds: number;
  listeners: Record<string, string>;
  online: number;
  accountsOnline: number;
  connections: number;
  tick: { p50: number; p99: number; max: number };
  ping: { p50: number | null; p99: number | null };
  store: { p50: number; p99: number; queue: number };
  bytesIn: number;
  bytesOut: number;
  memory: number;
  goroutines: number;
  saveFailures: number;
  saving: boolean;
  lastBackup: { at: string | null; file: string; failure?: string } | null;
}

export interface HistoryPoint {
  at: string;
  online: number;
  pingP50: number | null;
  pingP99: number | null;
  tickP99: number;
  bytesIn: number;
  bytesOut: number;
  storeP99: number;
  memory: number;
}

export interface History {
  step: number;
  points: HistoryPoint[];
}

/** Where everybody is, and who has come and gone since the last one. */
export interface PlayersEvent {
  at: string;
  /** Of each player id, x, y, z and yaw. */
  positions: [number, number, number, number, number][];
  added: Player[];
  removed: number[];
}

export interface ChatLine {
  at: string;
  channel: string;
  from: string;
  account: string;
  to: string;
  text: string;
}

export interface LogLine {
  number?: number;
  at: string;
  level: string;
  message: string;
  attrs?: Record<string, string>;
}

export interface AuditEntry {
  id: number;
  at: string;
  who: string;
  action: string;
  target: string;
  detail: string;
}

/** A ban or a mute. */
export interface Measure {
  /** Missing: for ever. */
  until?: string | null;
  reason: string;
  by: string;
  at?: string;
}

export interface Account {
  id: number;
  login: string;
  role: Role;
  created: string;
  lastLogin?: string;
  lastAddress?: string;
  ban?: Measure | null;
  mute?: Measure | null;
  characters: string[];
  online: boolean;
}

/** A character as a list shows it. */
export interface Character {
  id: number;
  name: string;
  account: string;
  slot: number;
  level: Levels;
  money: number;
  place: Both;
  position: { x: number; y: number; z: number };
  created: string;
  lastSeen?: string;
  online: boolean;
}

/** Everything that is stored of a character. */
export interface Sheet extends Character {
  female: boolean;
  titleXP: number;
  degreeXP: number;
  titlePoints: number;
  degreePoints: number;
  strength: number;
  agility: number;
  accuracy: number;
  endurance: number;
  earth: number;
  air: number;
  water: number;
  fire: number;
  hp: number;
  maxHP: number;
  mp: number;
  maxMP: number;
  satiety: number;
  maxSatiety: number;
  karma: number;
  karmaType: number;
  clan: string;
  playedSeconds: number;
  items: Item[];
}

export interface Item {
  id: number;
  container: number;
  slot: number;
  place: string;
  name: Both;
  class: number;
  gameId: number;
  suffix: number;
  count: number;
  durability: number;
  maxDurability: number;
  weight: number;
  bound: boolean;
}

export interface Setting {
  key: string;
  kind: 'text' | 'switch' | 'whole' | 'number' | 'duration' | 'list';
  value: string;
  default: string;
  source: string;
  reloadable: boolean;
  min?: string;
  max?: string;
  oneOf?: string[];
  doc: Both;
}

/** What a change of the configuration has changed. */
export interface Changes {
  changes: { key: string; old: string; new: string; restart: boolean }[];
}

export interface Backups {
  folder: string;
  backups: { file: string; bytes: number; at: string }[];
  made: number;
  failed: number;
  failure?: string;
}

export interface Token {
  id: number;
  login: string;
  name: string;
  role: Role;
  created: string;
  expires?: string;
  lastUsed?: string;
  /** Told once, when it is made. */
  token?: string;
}

/** How a recording of sessions goes, or how the last one ended. */
export interface Capture {
  on: boolean;
  path?: string;
  frames?: number;
  bytes?: number;
}
