// What the server answers, as JSON has it. Made of the types of Go:
// go test ./server/admin/api -run TypeScript -update-types

export type Role = 'player' | 'helper' | 'gamemaster' | 'administrator';

/** A name or a label in both languages. */
export interface Both {
  ru: string;
  en: string;
}

/** A point of the world in metres, and where it looks. */
export interface Position {
  x: number;
  y: number;
  z: number;
  yaw: number;
}

/** A point of the world in metres: x grows to the east, z to the north, y upwards. */
export interface Point {
  area: string;
  x: number;
  y: number;
  z: number;
}

/** Who asks. */
export interface Me {
  login: string;
  role: Role;
  csrf: string;
  language: string;
  version: string;
  name: string;
}

/** Whether the first administrator can be made here. */
export interface First {
  open: boolean;
}

/** Levels as the game shows them. */
export interface Levels {
  title: number;
  degree: number;
  titleRebirths: number;
  degreeRebirths: number;
}

/** A player in the world. The stream leaves out what the connection has to tell. */
export interface Player {
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
  entered: string;
  minutes: number;
  seconds: number;
  area: string;
  x: number;
  y: number;
  z: number;
  address?: string;
  pingMs: number | null;
  bytesIn: number;
  bytesOut: number;
}

export interface Road {
  from: string;
  to: string;
  line: number[];
}

export interface Region {
  kind: string;
  name: Both;
  x: number;
  z: number;
}

/** The drawn base of a continent. Lines are x and z of one point after the other. */
export interface Sketch {
  land: number[][];
  roads: Road[];
  regions: Region[];
}

export interface Area {
  key: string;
  name: Both;
  open: boolean;
  bounds: [number, number, number, number] | null;
  relief: [number, number, number, number] | null;
  sketch: Sketch | null;
}

export interface Place {
  key: string;
  name: Both;
  kind: string;
  area: string;
  x: number;
  y: number;
  z: number;
}

export interface Townsman {
  key: string;
  label: Both;
  kind: string;
  occupation: string;
  angle: number;
  town?: string;
  area: string;
  x: number;
  y: number;
  z: number;
}

export interface Portal {
  key: string;
  class: number;
  angle: number;
  place?: string;
  to?: Point;
  area: string;
  x: number;
  y: number;
  z: number;
}

/** The world as it stands in the tables. */
export interface Geography {
  peace: number;
  version: string;
  areas: Area[];
  places: Place[];
  townsfolk: Townsman[];
  portals: Portal[];
}

/** The monsters of an area, or of a part of it, or how many are in squares (id, type, level, HP, greatest HP, x, y, z, 1 if it has a name, 1 if it was summoned). */
export interface Monsters {
  count: number;
  types: Record<string, Both>;
  monsters: [number, number, number, number, number, number, number, number, number, number][];
  cells: [number, number, number, number][];
}

/** A place where operators let no monsters come from. */
export interface SpawnerOff {
  key: string;
  at: Position;
  level: number;
  types: number[];
  off: boolean;
  place: Both;
}

/** Where the monsters of an area come from: of each key x, y, z, level in the middle, index of its choice of types, 1 if it is turned off. */
export interface Spawners {
  types: Record<string, Both>;
  choices: number[][];
  keys: string[];
  spawners: [number, number, number, number, number, number][];
}

/** How many monsters of a kind are in a dungeon; those with names of their own apart. */
export interface MonsterInside {
  name: Both;
  level: number;
  named: boolean;
  count: number;
}

/** How many things of a kind lie in a dungeon. */
export interface ThingInside {
  name: Both;
  count: number;
}

/** A dungeon of one player or a few. Without emptied somebody is in it. */
export interface Instance {
  number: number;
  dungeon: string;
  origin: Position;
  owner: string;
  began: string;
  emptied?: string;
  players: string[];
  monsters: MonsterInside[];
  chests: number;
  opened: number;
  things: ThingInside[];
  ending: boolean;
}

/** Where it is hot: of each cell x and z of its corner in cells, and seconds of players, deaths, kills or coins. */
export interface Heat {
  since: string;
  cell: number;
  most: number;
  cells: [number, number, number][];
}

/** How high the ground is at a place, in metres; null where that is not known. */
export interface Height {
  y: number | null;
}

/** An article that a townsman sells today. */
export interface Ware {
  id: number;
  name: Both;
  count: number;
  price: number;
}

/** Figures of now. */
export interface Status {
  name: string;
  version: string;
  started: string;
  uptimeSeconds: number;
  listeners: Record<string, string>;
  online: number;
  accountsOnline: number;
  connections: number;
  tick: { p50: number; p99: number; max: number; };
  ping: { p50: number | null; p99: number | null; };
  store: { p50: number; p99: number; queue: number; };
  bytesIn: number;
  bytesOut: number;
  memory: number;
  goroutines: number;
  saveFailures: number;
  saving: boolean;
  lastBackup: { at: string; file: string; late: boolean; failure?: string; } | null;
  stops?: { at: string; reason?: string; restart?: boolean; };
  configFault: Both | null;
}

/** How the server was doing for ten seconds. */
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
  kills: number;
  deaths: number;
  experience: number;
  money: number;
}

export interface History {
  step: number;
  points: HistoryPoint[];
}

/** Where everybody is (id, x, y, z, yaw), and who has come and gone since the last event. */
export interface PlayersEvent {
  at: string;
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

/** A line of the log; without Russian words it is shown as it is. */
export interface LogLine {
  number: number;
  at: string;
  level: string;
  message: string;
  attrs?: Record<string, string>;
  russian?: { message: string; attrs?: Record<string, string>; };
}

export interface AuditEntry {
  id: number;
  at: string;
  who: string;
  action: string;
  target: string;
  detail: string;
  sentence: Both;
}

/** A ban or a mute; without an end it is for ever. */
export interface Ban {
  until?: string;
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
  lockedUntil?: string;
  ban?: Ban;
  mute?: Ban;
  online: boolean;
  characters: string[];
}

/** A character as a list shows it. */
export interface Character {
  id: number;
  name: string;
  account: string;
  slot: number;
  titleLevel: number;
  degreeLevel: number;
  money: number;
  position: Position;
  created: string;
  lastSeen?: string;
  online: boolean;
  level: Levels;
  place: Both;
}

/** What an operator has noted of an account. */
export interface Note {
  id: number;
  account: number;
  login: string;
  at: string;
  by: string;
  text: string;
}

export interface SharedAccount {
  id: number;
  login: string;
  role: Role;
  lastLogin?: string;
  characters: string[];
  banned: boolean;
  muted: boolean;
  online: boolean;
}

/** What several accounts have in common; accounts are the first of them. */
export interface Shared {
  kind: string;
  of: string;
  count: number;
  accounts: SharedAccount[];
}

/** What was not believed of the moves of an account; id is that of the account. */
export interface Doubt {
  id: number;
  login: string;
  character: string;
  count: number;
  first: string;
  last: string;
  at: Position;
  to: Position;
  why: string;
  role: Role;
  place: Both;
}

/** What game masters look through. */
export interface Desk {
  doubts: Doubt[];
  shared: Shared[];
  notes: Note[];
}

/** A deleted character that can come back. */
export interface DeletedCharacter {
  id: number;
  name: string;
  account: string;
  slot: number;
  titleLevel: number;
  degreeLevel: number;
  money: number;
  items: number;
  deleted: string;
  keptUntil: string;
  level: Levels;
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

/** What a character has to do: kind is the letter of its template. */
export interface Mission {
  kind: string;
  goal: string;
  level: number;
  monster: Both | null;
  at: Position;
  place: Both;
  ends: string;
  rank?: { guild: Both; rank: number; };
}

/** Everything that is stored of a character. */
export interface Sheet {
  id: number;
  name: string;
  account: string;
  slot: number;
  titleLevel: number;
  degreeLevel: number;
  money: number;
  position: Position;
  created: string;
  lastSeen?: string;
  online: boolean;
  female: boolean;
  tutorial: boolean;
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
  clanRank: number;
  guild: number;
  playedSeconds: number;
  guildLevel: number;
  fight: { dead: boolean; attack: number; magicalAttack: number; defence: number; magicalDefence: number; effects: { name: Both; harmful: boolean; seconds: number; }[]; resets: string[]; kills: number; deaths: number; duel?: string; };
  level: Levels;
  place: Both;
  items: Item[];
  vault: Item[];
  rank?: { guild: Both; rank: number; };
  mission?: Mission;
  instance?: { number: number; dungeon: string; };
}

export interface Setting {
  key: string;
  kind: string;
  value: string;
  default: string;
  source: string;
  reloadable: boolean;
  min?: string;
  max?: string;
  oneOf?: string[];
  heading: Both;
  doc: Both;
  waits?: string;
  fixed?: string;
}

export interface Change {
  key: string;
  old: string;
  new: string;
  restart: boolean;
  from: { from: string; file?: string; line?: number; name?: string; };
}

/** What a change of the configuration has changed. */
export interface Changes {
  changes: Change[];
}

/** The balance file; with a sample there is none yet. */
export interface BalanceFile {
  text: string;
  sum: string;
  sample?: Both;
}

/** A rate that an operator has set; without an end until it is ended. */
export interface Rate {
  rate: string;
  factor: number;
  from: string;
  until?: string;
  by: string;
}

/** How much more there is of something; without changes for ever. */
export interface RateState {
  rate: string;
  name: Both;
  factor: number;
  changes?: string;
  then?: number;
  set: Rate[];
  file: Both[];
}

/** The message of the day; without an author it is that of the configuration. */
export interface Motd {
  text: string;
  by?: string;
  at?: string;
}

/** Whether only operators get in, and the logins that do as well. */
export interface Maintenance {
  on: boolean;
  file?: boolean;
  admit: string[];
  by?: string;
  at?: string;
}

export interface AddressBan {
  prefix: string;
  until?: string;
  reason: string;
  by: string;
  at?: string;
  wide?: boolean;
  accounts?: number;
}

/** A kind of things that somebody may have meant. */
export interface Kind {
  id: number;
  name: Both;
  title: number;
  degree: number;
  stack: number;
  price: number;
  suffix: number;
  suffixes: Suffix[];
}

export interface Suffix {
  suffix: number;
  name: Both;
}

export interface Backup {
  file: string;
  bytes: number;
  at: string;
}

export interface Backups {
  folder: string;
  backups: Backup[];
  made: number;
  failed: number;
  failure?: string;
  restore?: string;
}

/** A token; its secret is told once, when it is made. */
export interface Token {
  id: number;
  login: string;
  name: string;
  role: Role;
  created: string;
  expires?: string;
  lastUsed?: string;
  token?: string;
}

/** How a recording of sessions goes, or how the last one ended. */
export interface Capture {
  on: boolean;
  path?: string;
  running?: boolean;
  started?: string;
  sessions?: number;
  frames?: number;
  bytes?: number;
  lost?: number;
  why?: string;
  error?: string;
}

/** How the server does, as everybody may know. */
export interface PublicStatus {
  name: string;
  version?: string;
  state: string;
  started: string;
  online: number;
  slots: number;
  most: number;
  mostAt: string;
  connect?: string;
  port: number;
  rates: { experience: number; drops: number; money: number; respawn: number; };
  shows: { names: boolean; players: boolean; top: boolean; };
  newLogins: boolean;
}

/** Somebody in the world, as far as that is shown: at is x, y, z and yaw. */
export interface PublicPlayer {
  name?: string;
  title?: number;
  degree?: number;
  clan?: string;
  at?: [number, number, number, number];
}

export interface PublicOnline {
  at: string;
  online: number;
  areas: { area: string; online: number; }[];
  players: PublicPlayer[];
}

export interface PublicLeader {
  name: string;
  clan?: string;
  title: number;
  degree: number;
  karma: number;
}

export interface PublicTop {
  title: PublicLeader[];
  degree: PublicLeader[];
  karma: PublicLeader[];
}
