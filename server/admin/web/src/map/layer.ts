import L from 'leaflet';
import type { Geography, Heat, Monsters, Place, Portal, Region, SpawnerOff, Townsman } from '../answers';
import type { LivePlayer } from '../live';
import { colour } from '../theme';
import { baseOf, drawBase, drawRoads, type Base, type BaseColour, type Lie } from './base';
import { gather, type Cluster } from './clusters';
import { lastLevel, type Den } from './dens';
import { glyph } from './glyphs';
import { between, numbersOf, paint, rasterOf } from './heat';
import { place as placeNames, type Box, type Name } from './names';
import { herdSide, paintHerds, type Beast, type Herds } from './monsters';
import type { Spot } from './spot';
import { along, areaAt, fromLatLng, gridLines, gridStep, heading, pixelsPerMetre, type Heights } from './projection';

/** What the legend can show and hide. */
export type Sort = 'player' | 'monster' | 'spawner' | 'townsman' | 'portal' | 'place';

/** What can be pointed at. */
export type Thing =
  | { sort: 'player'; player: LivePlayer }
  | { sort: 'monster'; monster: Beast }
  | { sort: 'spawner'; den: Den }
  | { sort: 'townsman'; townsman: Townsman }
  | { sort: 'portal'; portal: Portal }
  | { sort: 'place'; place: Place }
  | { sort: 'cluster'; x: number; y: number; z: number; members: LivePlayer[] };

/** What can be chosen. */
export type Choice = Exclude<Thing, { sort: 'cluster' }>;

/** What the layer draws. */
export interface Scene {
  geography: Geography;
  heights: Heights;
  area: string;
  shown: ReadonlySet<Sort>;
  players: ReadonlyMap<number, LivePlayer>;
  /** Those of the area that are in view. */
  monsters: readonly Beast[];
  /** How many there are, where they are too many to be seen each. */
  herds?: Monsters['cells'] | undefined;
  /** Where operators let none come from. */
  off?: readonly SpawnerOff[] | undefined;
  /** The relief of its land is shown, and lies where else the sketch of it would be. */
  relief: boolean;
  /** Where those come from. */
  dens?: readonly Den[];
  /** A point that is marked. */
  spot?: Spot | null;
  /** How hot it is in the area, of whatever is looked at. */
  heat?: Heat | null;
  selected: Choice | null;
  /** What something is called. */
  nameOf(p: Place | Region | Townsman | Beast): string;
}

const ownColours = ['grid', 'axis', 'ink', 'halo', 'paper', 'player', 'staff', 'monster', 'townsman', 'portal', 'place', 'selected', 'water', 'off', 'heat-1', 'heat-2', 'heat-3', 'heat-4', 'level-1', 'level-2', 'level-3', 'level-4', 'level-5'] as const;
const baseColours: readonly BaseColour[] = ['sea', 'shallow', 'land', 'coast', 'wood', 'peak', 'road', 'town', 'house', 'room'];

type Palette = Record<(typeof ownColours)[number] | BaseColour, string>;

const reach = 14; // pixels within which a click hits
// The zooms from which something is drawn.
export const fromZoom = { signs: -3.3, castleNames: -3.1, placeNames: -2.1, townsfolk: -2.6, occupations: -0.7, roles: 1.2, monsters: -1, off: -2.6, dens: -3.1, levels: -1.9, monsterNames: 1.2, playerNames: -0.5, headings: -1 };
const dotSize = 14; // pixels
const beyond = 200; // pixels around the canvas in which players are looked at, more than two squares of clusters
const mostPictures = 600;
const halo = 3; // pixels around a name
const labelHeight = 24;
const faces = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const fonts: Record<Name['style'], string> = {
  town: `650 14px ${faces}`,
  castle: `500 12px ${faces}`,
  place: `12px ${faces}`,
  water: `italic 12px ${faces}`,
  player: `12px ${faces}`,
  townsman: `11.5px ${faces}`,
};

const heatNear = 1; // cells around one over which heat is spread
const heatFar = 3; // likewise where a cell has fewer pixels than
const heatSmall = 7;

/** A point of the canvas, in pixels of the page. */
interface Pixel {
  x: number;
  y: number;
}

/** True where two things are the same one. */
function same(a: Choice | null, b: Choice | null): boolean {
  return keyOf(a) === keyOf(b);
}

/** A name for a thing that no other has. */
export function keyOf(t: Choice | null): string {
  switch (t?.sort) {
    case 'player':
      return `player ${t.player.id}`;
    case 'monster':
      return `monster ${t.monster.id}`;
    case 'spawner':
      return `spawner ${t.den.key}`;
    case 'townsman':
      return `townsman ${t.townsman.key}`;
    case 'portal':
      return `portal ${t.portal.key}`;
    case 'place':
      return `place ${t.place.key}`;
    default:
      return '';
  }
}

/** Where a thing is shown at a time of performance.now(). */
export function shownAt(t: Thing, now: number): { x: number; y: number; z: number } {
  switch (t.sort) {
    case 'player':
      return along(t.player.walk, now);
    case 'monster':
      return t.monster;
    case 'spawner':
      return t.den;
    case 'townsman':
      return t.townsman;
    case 'portal':
      return t.portal;
    case 'place':
      return t.place;
    case 'cluster':
      return t;
  }
}

/** Somebody where he is shown. */
interface Dot {
  player: LivePlayer;
  x: number;
  z: number;
}

/** What lies behind the players, as far as it is that of a scene. */
function sameBehind(a: Scene, b: Scene): boolean {
  return (
    a.geography === b.geography && a.area === b.area && a.shown === b.shown && a.monsters === b.monsters && a.herds === b.herds && a.off === b.off && a.dens === b.dens &&
    a.heat === b.heat && a.relief === b.relief && a.nameOf === b.nameOf && same(a.selected, b.selected)
  );
}

/** A layer of the map that draws the whole scene on one canvas, as often as it changes. */
export class SceneLayer extends L.Layer {
  private readonly canvas = document.createElement('canvas');
  /** What lies below the relief, on a canvas of its own that is drawn when it changes. */
  private readonly ground = document.createElement('canvas');
  private grounded = '';
  private palette!: Palette;
  private frame = 0;
  private pause: number | undefined;
  private chart: L.Map | null = null;
  /** Who is in the area that is shown; those of them who are in sight, in memory that is used again, are the first of the dots. */
  private inside: LivePlayer[] = [];
  private readonly dots: Dot[] = [];
  private base: Base | null = null;
  private baseArea = '';
  /** Pixels of a point are x * scale + east, and north - z * scale. */
  private scale = 1;
  private east = 0;
  private north = 0;
  /** What lies behind the players, drawn only when it changes: where thousands walk that is most of the work. */
  private readonly behind = document.createElement('canvas');
  private behindAs = '';
  private behindNames: Name[] = [];
  private readonly pictures = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();
  private heats: { near: HTMLCanvasElement; far: HTMLCanvasElement; box: [west: number, north: number, wide: number, high: number]; ring: number } | null = null;
  /** What was drawn last, and within how many pixels of its middle it is hit; what lies above others comes later. */
  private hits: { thing: Thing; p: Pixel; size: number }[] = [];
  private herds: { of: Monsters['cells']; painted: Herds | null } | null = null;
  private single: Dot[] = [];
  private clusters: Cluster<Dot>[] = [];

  constructor(private scene: Scene) {
    super();
    for (const canvas of [this.canvas, this.ground]) {
      canvas.className = 'scene';
      canvas.setAttribute('aria-hidden', 'true');
    }
    this.recolour();
    this.show(scene);
  }

  override onAdd(map: L.Map): this {
    this.chart = map;
    map.getPane('overlayPane')!.append(this.canvas);
    const below = map.getPane('ground') ?? map.createPane('ground');
    below.style.zIndex = '100'; // tiles have 200
    below.append(this.ground);
    map.on('move zoom viewreset resize', this.later, this);
    this.later();
    return this;
  }

  override onRemove(map: L.Map): this {
    map.off('move zoom viewreset resize', this.later, this);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.pause);
    this.canvas.remove();
    this.ground.remove();
    this.chart = null;
    return this;
  }

  /** Draws another scene from now on. */
  show(scene: Scene): void {
    if (!sameBehind(this.scene, scene)) this.behindAs = '';
    if (this.scene.heat !== scene.heat) this.heats = null;
    this.scene = scene;
    if (!this.base || this.baseArea !== scene.area) {
      this.base = baseOf(scene.geography, scene.area);
      this.baseArea = scene.area;
    }
    this.inside = [...scene.players.values()].filter((p) => areaAt(scene.heights, p.y) === scene.area);
    this.later();
  }

  /** Takes the colours of the page anew. */
  recolour(): void {
    this.palette = Object.fromEntries([...ownColours, ...baseColours].map((name) => [name, colour(`--map-${name}`)])) as Palette;
    this.pictures.clear();
    this.heats = this.herds = null;
    this.behindAs = '';
    this.grounded = '';
    this.later();
  }

  /** The thing at a point of the map, the nearest; of those as near, what lies above. */
  at(point: Pixel, within = reach): Thing | null {
    let [found, least]: [Thing | null, number] = [null, within];
    const nearer = (p: Pixel, size: number) => {
      const off = Math.hypot(p.x - point.x, p.y - point.y) - size;
      if (off > least) return false;
      least = Math.max(0, off);
      return true;
    };
    for (const { thing, p, size } of this.hits) if (nearer(p, size)) found = thing;
    for (const dot of this.single) if (nearer(this.pixel(dot), 3)) found = { sort: 'player', player: dot.player };
    for (const c of this.clusters) {
      const members = c.members.map((m) => m.player);
      if (nearer(this.pixel(c), clusterSize(members.length))) found = { sort: 'cluster', x: c.x, y: members[0]!.y, z: c.z, members };
    }
    return found;
  }

  private pixel(p: { x: number; z: number }): Pixel {
    return { x: p.x * this.scale + this.east, y: this.north - p.z * this.scale };
  }

  /** Takes from the map where points lie now. */
  private measure(map: L.Map): void {
    const corner = fromLatLng(map.containerPointToLatLng([0, 0]));
    this.scale = pixelsPerMetre(map.getZoom());
    this.east = -corner.x * this.scale;
    this.north = corner.z * this.scale;
  }

  private later(): void {
    if (!this.frame && this.chart) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frame = 0;
    clearTimeout(this.pause);
    const map = this.chart;
    if (!map) return;
    const began = performance.now();
    const { x: width, y: height } = map.getSize();
    if (width === 0 || height === 0) return; // it is told of its size when it has one
    this.measure(map);
    const sharp = devicePixelRatio || 1;
    const { scale, east, north } = this;
    const lie = { scale, east, north, width, height, sharp };
    const g = clean(map, this.canvas, lie);
    this.drawGround(map, lie);
    this.drawBehind(lie);
    g.drawImage(this.behind, 0, 0, width, height);
    const names = [...this.behindNames];
    const taken: Box[] = [];
    const moving = this.drawPlayers(g, width, height, now, names, taken);
    this.drawNames(g, names, taken);
    if (this.scene.spot) this.mark(g, this.pixel(this.scene.spot));
    // Where there is much to draw, most of the time is left to the rest of the page.
    const took = performance.now() - began;
    if (moving) this.pause = window.setTimeout(() => this.later(), took > 8 ? 2 * took : 0);
  }

  /** Draws all but the players, if it is not there yet. */
  private drawBehind(lie: Lie): void {
    const { behind } = this;
    const { width, height, sharp } = lie;
    const as = Object.values(lie).join(' ');
    if (as === this.behindAs) return;
    this.behindAs = as;
    behind.width = this.canvas.width;
    behind.height = this.canvas.height;
    const g = behind.getContext('2d')!;
    g.setTransform(sharp, 0, 0, sharp, 0, 0);
    g.textBaseline = 'middle';
    if (this.scene.relief) drawRoads(g, this.base!, lie, (c) => this.palette[c]);
    this.drawHeat(g);
    this.drawHerds(g);
    this.drawGrid(g, width, height);
    this.hits = [];
    this.behindNames = this.nameWaters();
    this.drawDens(g, width, height);
    this.drawOff(g, width, height);
    this.drawMonsters(g, width, height, this.behindNames);
    this.drawStill(g, width, height, this.behindNames);
  }

  /** Draws how hot it is: pictures of one pixel for each cell, made once for each answer, are drawn as large as the cells are. */
  private drawHeat(g: CanvasRenderingContext2D): void {
    const { heat } = this.scene;
    if (!heat) return;
    if (!this.heats) {
      const [near, far] = [rasterOf(heat, heatNear), rasterOf(heat, heatFar)];
      if (!near || !far) return;
      const scale = ([1, 2, 3, 4] as const).map((n) => numbersOf(this.palette[`heat-${n}`]));
      const cell = near.cell;
      this.heats = {
        near: paint(near, scale),
        far: paint(far, scale),
        box: [near.west * cell, (near.south + near.high) * cell, near.wide * cell, near.high * cell],
        ring: (heatFar - heatNear) * cell,
      };
    }
    const { near, far, box, ring } = this.heats;
    const small = heat.cell * this.scale < heatSmall;
    const [west, north, wide, high] = small ? [box[0] - ring, box[1] + ring, box[2] + 2 * ring, box[3] + 2 * ring] : box;
    const p = this.pixel({ x: west, z: north });
    g.imageSmoothingQuality = 'high';
    g.drawImage(small ? far : near, p.x, p.y, wide * this.scale, high * this.scale);
  }

  /** Draws what lies below the relief, if it does not lie there as it is. */
  private drawGround(map: L.Map, lie: Lie): void {
    const { area, relief } = this.scene;
    const corner = map.containerPointToLayerPoint([0, 0]);
    const now = [area, relief, corner.x, corner.y, ...Object.values(lie)].join(' ');
    if (this.grounded === now) return;
    this.grounded = now;
    const g = clean(map, this.ground, lie);
    if (!relief) {
      drawBase(g, this.base!, lie, (c) => this.palette[c]);
      return;
    }
    g.fillStyle = this.palette.sea;
    g.fillRect(0, 0, lie.width, lie.height);
  }

  private drawGrid(g: CanvasRenderingContext2D, width: number, height: number): void {
    const { scale, east, north } = this;
    const step = gridStep(this.chart!.getZoom());
    g.lineWidth = 1;
    g.font = fonts.townsman;
    g.fillStyle = this.palette.axis;
    for (const x of gridLines(-east / scale, (width - east) / scale, step)) {
      const at = Math.round(east + x * scale) + 0.5;
      this.line(g, x, at, 0, at, height);
      if (at + 4 + g.measureText(String(x)).width < width) g.fillText(String(x), at + 4, height - 10);
    }
    for (const z of gridLines((north - height) / scale, north / scale, step)) {
      const at = Math.round(north - z * scale) + 0.5;
      this.line(g, z, 0, at, width, at);
      // The buttons that zoom lie over the upper part of this side.
      if (at > 255 && at < height - 24) g.fillText(String(z), 4, at - 8);
    }
  }

  private line(g: CanvasRenderingContext2D, value: number, x1: number, y1: number, x2: number, y2: number): void {
    g.strokeStyle = value === 0 ? this.palette.axis : this.palette.grid;
    g.globalAlpha = 0.5;
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x2, y2);
    g.stroke();
    g.globalAlpha = 1;
  }

  private nameWaters(): Name[] {
    const regions = this.scene.geography.areas.find((a) => a.key === this.scene.area)?.sketch?.regions ?? [];
    return regions.filter((r) => r.kind === 'lake').map((r) => ({ text: this.scene.nameOf(r), ...this.pixel(r), off: Math.max(2, 100 * this.scale - 9), rank: 4, style: 'water' }));
  }

  /** Draws where monsters are, from afar: a tint of their levels. */
  private drawHerds(g: CanvasRenderingContext2D): void {
    const { herds, shown } = this.scene;
    if (!herds || !shown.has('monster') || this.chart!.getZoom() >= fromZoom.monsters) return;
    if (this.herds?.of !== herds) this.herds = { of: herds, painted: paintHerds(herds, ([1, 2, 3, 4, 5] as const).map((n) => numbersOf(this.palette[`level-${n}`]))) };
    const { painted } = this.herds;
    if (!painted) return;
    const p = this.pixel(painted);
    const side = herdSide * this.scale;
    g.imageSmoothingQuality = 'high';
    g.drawImage(painted.picture, p.x, p.y, painted.picture.width * side, painted.picture.height * side);
  }

  /** Draws a ring, struck through, where operators let no monsters come from. */
  private drawOff(g: CanvasRenderingContext2D, width: number, height: number): void {
    const { off, area, heights } = this.scene;
    if (!off || this.chart!.getZoom() < fromZoom.off) return;
    for (const { at } of off) {
      const p = this.pixel(at);
      if (outside(p, width, height) || areaAt(heights, at.y) !== area) continue;
      for (const [colour, wide] of [[this.palette.halo, 4.5], [this.palette.off, 2.5]] as const) {
        g.strokeStyle = colour;
        g.lineWidth = wide;
        g.beginPath();
        g.arc(p.x, p.y, 8, 0, 2 * Math.PI);
        g.moveTo(p.x - 5.6, p.y + 5.6);
        g.lineTo(p.x + 5.6, p.y - 5.6);
        g.stroke();
      }
    }
  }

  /** Draws a mark for each monster, where there is room for them. */
  private drawMonsters(g: CanvasRenderingContext2D, width: number, height: number, names: Name[]): void {
    const { monsters, shown, selected } = this.scene;
    if (!shown.has('monster')) return;
    const zoom = this.chart!.getZoom();
    if (zoom < fromZoom.monsters) return;
    const size = 3.2;
    g.fillStyle = this.palette.monster;
    for (const monster of monsters) {
      const p = this.pixel(monster);
      if (outside(p, width, height)) continue;
      const half = monster.named ? size * 1.7 : size;
      triangle(g, p, half * 1.4);
      const thing: Choice = { sort: 'monster', monster };
      const chosen = same(thing, selected);
      if (chosen) {
        this.ring(g, p);
        g.fillStyle = this.palette.monster;
      }
      this.hits.push({ thing, p, size: 0 });
      if (chosen || zoom >= fromZoom.monsterNames) names.push({ text: this.scene.nameOf(monster), ...p, off: 8, rank: chosen ? 1 : 5, style: 'townsman' });
    }
  }

  /** Draws where monsters come from: specks in the colour of their level, and the levels where there is room for them. */
  private drawDens(g: CanvasRenderingContext2D, width: number, height: number): void {
    const { dens, shown, selected } = this.scene;
    if (!dens || !shown.has('spawner')) return;
    const zoom = this.chart!.getZoom();
    const scale = ([1, 2, 3, 4, 5] as const).map((n) => numbersOf(this.palette[`level-${n}`]));
    const size = zoom < fromZoom.dens ? 1.5 : 2.5;
    for (const den of dens) {
      const p = this.pixel(den);
      if (outside(p, width, height)) continue;
      const colour = den.off ? this.palette.off : `rgb(${between(scale, (den.level - 1) / (lastLevel - 1)).join(' ')})`;
      if (zoom >= fromZoom.levels) {
        const badge = this.badge(String(den.level), colour, den.off);
        this.put(g, badge, p);
      } else {
        g.fillStyle = colour;
        g.fillRect(p.x - size, p.y - size, 2 * size, 2 * size);
      }
      if (zoom < fromZoom.dens) continue;
      const thing: Choice = { sort: 'spawner', den };
      if (same(thing, selected)) this.ring(g, p);
      this.hits.push({ thing, p, size: zoom >= fromZoom.levels ? 4 : 0 });
    }
  }

  /** A level on a ground of its colour; struck out where nothing comes from. */
  private badge(text: string, colour: string, off: boolean): HTMLCanvasElement {
    return this.picture(`level ${text} ${colour} ${off}`, 24, 16, (g) => {
      g.fillStyle = colour;
      g.beginPath();
      g.roundRect(1, 1, 22, 14, 4);
      g.fill();
      g.lineWidth = 1;
      g.strokeStyle = this.palette.halo;
      g.stroke();
      const [r, green, b] = numbersOf(colour);
      g.fillStyle = 0.3 * r + 0.59 * green + 0.11 * b > 140 ? '#101416' : '#ffffff';
      g.font = `600 10.5px ${faces}`;
      g.textAlign = 'center';
      g.fillText(text, 12, 8.5);
      if (!off) return;
      g.strokeStyle = g.fillStyle;
      g.lineWidth = 1.5;
      g.beginPath();
      g.moveTo(4, 13);
      g.lineTo(20, 3);
      g.stroke();
    });
  }

  /** Draws what does not move, and adds the names that belong to it. */
  private drawStill(g: CanvasRenderingContext2D, width: number, height: number, names: Name[]): void {
    const { area, geography, shown, selected } = this.scene;
    const zoom = this.chart!.getZoom();
    const draw = (thing: Choice, paint: (p: Pixel, chosen: boolean) => void) => {
      const p = this.pixel(shownAt(thing, 0));
      if (outside(p, width, height)) return;
      const chosen = same(thing, selected);
      paint(p, chosen);
      if (chosen) this.ring(g, p);
      this.hits.push({ thing, p, size: 0 });
    };
    if (shown.has('place')) {
      for (const place of geography.places) {
        if (place.area === area) draw({ sort: 'place', place }, (p, chosen) => this.drawPlace(g, place, p, chosen, zoom, names));
      }
    }
    if (shown.has('portal')) {
      for (const portal of geography.portals) if (portal.area === area) draw({ sort: 'portal', portal }, (p) => diamond(g, p, zoom < -2 ? 4 : 5.5, this.palette.portal));
    }
    if (!shown.has('townsman')) return;
    for (const townsman of geography.townsfolk) {
      if (townsman.area !== area) continue;
      const thing: Choice = { sort: 'townsman', townsman };
      if (zoom >= fromZoom.townsfolk || same(thing, selected)) draw(thing, (p, chosen) => this.drawTownsman(g, townsman, p, chosen, zoom, names));
    }
  }

  private drawPlace(g: CanvasRenderingContext2D, place: Place, p: Pixel, chosen: boolean, zoom: number, names: Name[]): void {
    const text = this.scene.nameOf(place);
    if (place.kind === 'city') {
      circle(g, p, 4.5, this.palette.place, true, this.palette.halo);
      names.push({ text, ...p, off: 7, rank: 0, style: 'town' });
      return;
    }
    const drawing = glyph(place.kind);
    if (zoom < fromZoom.signs && !chosen) circle(g, p, drawing ? 2.2 : 1.2, this.palette.place, true);
    else if (drawing) this.sign(g, drawing, p, 17, this.palette.place);
    else circle(g, p, 3.5, this.palette.place, false);
    const castle = place.kind === 'castle';
    if (chosen || zoom >= (castle ? fromZoom.castleNames : fromZoom.placeNames)) {
      names.push({ text, ...p, off: drawing ? 10 : 6, rank: chosen ? 1 : castle ? 2 : 3, style: castle ? 'castle' : 'place' });
    }
  }

  private drawTownsman(g: CanvasRenderingContext2D, townsman: Townsman, p: Pixel, chosen: boolean, zoom: number, names: Name[]): void {
    const drawing = glyph(townsman.occupation);
    const near = zoom >= fromZoom.occupations;
    if (drawing && near) this.sign(g, drawing, p, 18, this.palette.townsman);
    else {
      const size = zoom < -1.8 ? 1.6 : 3;
      g.fillStyle = this.palette.townsman;
      g.fillRect(p.x - size, p.y - size, 2 * size, 2 * size);
    }
    if (chosen || zoom >= fromZoom.roles) names.push({ text: this.scene.nameOf(townsman), ...p, off: 10, rank: chosen ? 1 : 5, style: 'townsman' });
  }

  /** A drawing on a round ground. */
  private sign(g: CanvasRenderingContext2D, drawing: Path2D, p: Pixel, size: number, ink: string): void {
    circle(g, p, size / 2, this.palette.paper, true, ink);
    g.save();
    g.translate(p.x - size * 0.36, p.y - size * 0.36);
    g.scale((size * 0.72) / 16, (size * 0.72) / 16);
    g.strokeStyle = ink;
    g.lineWidth = 1.7;
    g.lineCap = g.lineJoin = 'round';
    g.stroke(drawing);
    g.restore();
  }

  /** Draws everybody; true while somebody is on the way. */
  private drawPlayers(g: CanvasRenderingContext2D, width: number, height: number, now: number, names: Name[], taken: Box[]): boolean {
    const { selected, shown } = this.scene;
    [this.single, this.clusters] = [[], []];
    if (!shown.has('player')) return false;
    const zoom = this.chart!.getZoom();
    const { seen, chosen, moving } = this.inSight(width, height, now, selected?.sort === 'player' ? selected.player.id : 0);
    const { clusters, single } = gather(seen, zoom);
    const radius = zoom < fromZoom.placeNames ? 4 : 5;
    const [ordinary, staff] = [this.dot(this.palette.player, radius), this.dot(this.palette.staff, radius)];
    const one = (dot: Dot) => {
      const { player } = dot;
      const p = this.pixel(dot);
      if (outside(p, width, height)) return;
      if (dot === chosen) this.ring(g, p);
      if (zoom >= fromZoom.headings) this.look(g, p, along(player.walk, now).yaw);
      g.drawImage(player.role === 'player' ? ordinary : staff, p.x - dotSize / 2, p.y - dotSize / 2, dotSize, dotSize);
      if (dot === chosen || zoom >= fromZoom.playerNames) names.push({ text: player.name, ...p, off: 7, rank: dot === chosen ? 1 : 4, style: 'player' });
    };
    single.forEach(one);
    for (const c of clusters) {
      const p = this.pixel(c);
      if (outside(p, width, height)) continue;
      const size = clusterSize(c.members.length);
      this.put(g, this.cluster(c.members.length), p);
      taken.push([p.x - size, p.y - size, p.x + size, p.y + size]);
    }
    if (chosen) one(chosen);
    this.single = chosen ? [...single, chosen] : single;
    this.clusters = clusters;
    return moving;
  }

  /** Who is on the canvas or so near to it that he may be of a cluster there, and whether any of these is on the way. */
  private inSight(width: number, height: number, now: number, id: number): { seen: Dot[]; chosen: Dot | null; moving: boolean } {
    const { scale, east, north, inside, dots } = this;
    const seen: Dot[] = [];
    let [n, chosen, moving]: [number, Dot | null, boolean] = [0, null, false];
    for (const player of inside) {
      const { from, to, began, lasts } = player.walk;
      const share = lasts <= 0 ? 1 : Math.min(1, Math.max(0, (now - began) / lasts));
      const x = from.x + (to.x - from.x) * share;
      const z = from.z + (to.z - from.z) * share;
      const [right, down] = [x * scale + east, north - z * scale];
      if (right < -beyond || down < -beyond || right > width + beyond || down > height + beyond) continue;
      const dot = (dots[n++] ??= { player, x, z });
      [dot.player, dot.x, dot.z] = [player, x, z];
      moving ||= share < 1 && (from.x !== to.x || from.z !== to.z);
      if (player.id === id) chosen = dot;
      else seen.push(dot);
    }
    return { seen, chosen, moving };
  }

  /** A drawing of how many stand together. */
  private cluster(n: number): HTMLCanvasElement {
    const size = Math.ceil(2 * clusterSize(n) + 4);
    return this.picture(`cluster ${n}`, size, size, (g) => {
      const middle = { x: size / 2, y: size / 2 };
      circle(g, middle, clusterSize(n), this.palette.player, true, this.palette.halo);
      g.font = `650 12px ${faces}`;
      g.fillStyle = this.palette.paper;
      g.textAlign = 'center';
      g.fillText(String(n), middle.x, middle.y + 0.5);
    });
  }

  private dot(fill: string, radius: number): HTMLCanvasElement {
    return this.picture(`dot ${fill} ${radius}`, dotSize, dotSize, (g) => circle(g, { x: dotSize / 2, y: dotSize / 2 }, radius, fill, true, this.palette.halo));
  }

  /** A drawing by its name: what is drawn often is drawn sooner as a picture. */
  private picture(name: string, width: number, height: number, draw: (g: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const sharp = devicePixelRatio || 1;
    const key = `${sharp} ${name}`;
    let picture = this.pictures.get(key);
    if (picture) {
      this.pictures.delete(key); // those that are not used for longest come first
    } else {
      if (this.pictures.size >= mostPictures) this.pictures.delete(this.pictures.keys().next().value!);
      picture = document.createElement('canvas');
      picture.width = Math.ceil(width * sharp);
      picture.height = Math.ceil(height * sharp);
      const g = picture.getContext('2d')!;
      g.scale(sharp, sharp);
      g.textBaseline = 'middle';
      draw(g);
    }
    this.pictures.set(key, picture);
    return picture;
  }

  /** Draws a picture around a point. */
  private put(g: CanvasRenderingContext2D, picture: HTMLCanvasElement, p: Pixel): void {
    const sharp = devicePixelRatio || 1;
    const [wide, high] = [picture.width / sharp, picture.height / sharp];
    g.drawImage(picture, Math.round(p.x - wide / 2), Math.round(p.y - high / 2), wide, high);
  }

  /** A line in the way in which somebody looks. */
  private look(g: CanvasRenderingContext2D, p: Pixel, yaw: number): void {
    const [right, down] = heading(yaw);
    g.strokeStyle = this.palette.ink;
    g.lineWidth = 2;
    g.beginPath();
    g.moveTo(p.x, p.y);
    g.lineTo(p.x + right * 11, p.y + down * 11);
    g.stroke();
  }

  private mark(g: CanvasRenderingContext2D, p: Pixel): void {
    for (const [colour, width] of [[this.palette.halo, 4], [this.palette.ink, 2]] as const) {
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.beginPath();
      for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        g.moveTo(p.x + 4 * x, p.y + 4 * y);
        g.lineTo(p.x + 11 * x, p.y + 11 * y);
      }
      g.stroke();
    }
  }

  private ring(g: CanvasRenderingContext2D, p: Pixel): void {
    g.strokeStyle = this.palette.selected;
    g.lineWidth = 3;
    g.beginPath();
    g.arc(p.x, p.y, 12, 0, 2 * Math.PI);
    g.stroke();
  }

  private drawNames(g: CanvasRenderingContext2D, names: Name[], taken: Box[]): void {
    for (const { name, left, y } of placeNames(names, (n) => this.width(g, n), taken)) {
      const label = this.picture(`name ${name.style} ${name.text}`, this.width(g, name) + 2 * halo, labelHeight, (g) => {
        g.font = fonts[name.style];
        g.lineWidth = 3.5;
        g.lineJoin = 'round';
        if (name.style !== 'water') {
          g.strokeStyle = this.palette.halo;
          g.strokeText(name.text, halo, labelHeight / 2);
        }
        g.fillStyle = name.style === 'water' ? this.palette.water : this.palette.ink;
        g.fillText(name.text, halo, labelHeight / 2);
      });
      const sharp = devicePixelRatio || 1;
      g.drawImage(label, Math.round(left - halo), Math.round(y - labelHeight / 2), label.width / sharp, label.height / sharp);
    }
  }

  private width(g: CanvasRenderingContext2D, { text, style }: Name): number {
    const key = `${style} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 5000) this.widths.clear(); // names of players come and go
      g.font = fonts[style];
      this.widths.set(key, (width = g.measureText(text).width));
    }
    return width;
  }
}

/** An empty canvas that covers the map. */
function clean(map: L.Map, canvas: HTMLCanvasElement, { width, height, sharp }: Lie): CanvasRenderingContext2D {
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
  const g = canvas.getContext('2d')!;
  g.setTransform(sharp, 0, 0, sharp, 0, 0);
  g.clearRect(0, 0, width, height);
  return g;
}

/** How large a cluster is drawn, in pixels from its middle. */
function clusterSize(members: number): number {
  return 9 + 4 * Math.log10(members);
}

function outside(p: Pixel, width: number, height: number): boolean {
  return p.x < -20 || p.y < -20 || p.x > width + 20 || p.y > height + 20;
}

function circle(g: CanvasRenderingContext2D, p: Pixel, radius: number, fill: string, solid: boolean, edge = fill): void {
  g.beginPath();
  g.arc(p.x, p.y, radius, 0, 2 * Math.PI);
  g.lineWidth = 1.5;
  g.strokeStyle = edge;
  if (solid) {
    g.fillStyle = fill;
    g.fill();
  }
  g.stroke();
}

function triangle(g: CanvasRenderingContext2D, p: Pixel, size: number): void {
  g.beginPath();
  g.moveTo(p.x, p.y - size);
  g.lineTo(p.x + size, p.y + size * 0.8);
  g.lineTo(p.x - size, p.y + size * 0.8);
  g.fill();
}

function diamond(g: CanvasRenderingContext2D, p: Pixel, size: number, fill: string): void {
  g.fillStyle = fill;
  g.beginPath();
  g.moveTo(p.x, p.y - size);
  g.lineTo(p.x + size, p.y);
  g.lineTo(p.x, p.y + size);
  g.lineTo(p.x - size, p.y);
  g.fill();
}
