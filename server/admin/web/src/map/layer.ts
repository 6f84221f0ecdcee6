import L from 'leaflet';
import type { Geography, Place, Portal, Region, Townsman } from '../answers';
import type { LivePlayer } from '../live';
import { colour } from '../theme';
import { baseOf, drawBase, type Base, type BaseColour } from './base';
import { gather } from './clusters';
import { glyph } from './glyphs';
import { place as placeNames, type Box, type Name } from './names';
import type { Beast } from './monsters';
import { along, areaAt, fromLatLng, gridLines, gridStep, heading, pixelsPerMetre, type Heights } from './projection';

/** What the legend can show and hide. */
export type Sort = 'player' | 'monster' | 'townsman' | 'portal' | 'place';

/** What can be pointed at. */
export type Thing =
  | { sort: 'player'; player: LivePlayer }
  | { sort: 'monster'; monster: Beast }
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
  /** Those of the area. */
  monsters: readonly Beast[];
  selected: Choice | null;
  /** What something is called. */
  nameOf(p: Place | Region | Townsman | Beast): string;
}

const ownColours = ['grid', 'axis', 'ink', 'halo', 'paper', 'player', 'staff', 'monster', 'townsman', 'portal', 'place', 'selected', 'water'] as const;
const baseColours: readonly BaseColour[] = ['sea', 'shallow', 'land', 'coast', 'wood', 'peak', 'road', 'town', 'house', 'room'];

type Palette = Record<(typeof ownColours)[number] | BaseColour, string>;

const reach = 14; // pixels within which a click hits
// The zooms from which something is drawn.
const fromZoom = { signs: -3.3, castleNames: -3.1, placeNames: -2.1, townsfolk: -2.6, occupations: -0.7, roles: 1.2, monsters: -2.6, monsterNames: 1.2, playerNames: -0.5, headings: -1 };
const dotSize = 14; // pixels
const faces = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const fonts: Record<Name['style'], string> = {
  town: `650 14px ${faces}`,
  castle: `500 12px ${faces}`,
  place: `12px ${faces}`,
  water: `italic 12px ${faces}`,
  player: `12px ${faces}`,
  townsman: `11.5px ${faces}`,
};

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

/** A layer of the map that draws the whole scene on one canvas, as often as it changes. */
export class SceneLayer extends L.Layer {
  private readonly canvas = document.createElement('canvas');
  private palette!: Palette;
  private frame = 0;
  private pause: number | undefined;
  private chart: L.Map | null = null;
  /** Who is in the area that is shown. */
  private inside: LivePlayer[] = [];
  private base: Base | null = null;
  private baseArea = '';
  /** Pixels of a point are x * scale + east, and north - z * scale. */
  private scale = 1;
  private east = 0;
  private north = 0;
  private readonly dots = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();
  /** What was drawn last, and within how many pixels of its middle it is hit; what lies above others comes later. */
  private hits: { thing: Thing; p: Pixel; size: number }[] = [];

  constructor(private scene: Scene) {
    super();
    this.canvas.className = 'scene';
    this.canvas.setAttribute('aria-hidden', 'true');
    this.recolour();
    this.show(scene);
  }

  override onAdd(map: L.Map): this {
    this.chart = map;
    map.getPane('overlayPane')!.append(this.canvas);
    map.on('move zoom viewreset resize', this.later, this);
    this.later();
    return this;
  }

  override onRemove(map: L.Map): this {
    map.off('move zoom viewreset resize', this.later, this);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.pause);
    this.canvas.remove();
    this.chart = null;
    return this;
  }

  /** Draws another scene from now on. */
  show(scene: Scene): void {
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
    this.dots.clear();
    this.later();
  }

  /** The thing at a point of the map, the nearest; of those as near, what lies above. */
  at(point: Pixel): Thing | null {
    let [found, least]: [Thing | null, number] = [null, reach];
    for (const { thing, p, size } of this.hits) {
      const off = Math.hypot(p.x - point.x, p.y - point.y) - size;
      if (off <= least) [found, least] = [thing, Math.max(0, off)];
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
    this.measure(map);
    const { x: width, y: height } = map.getSize();
    const sharp = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * sharp) || this.canvas.height !== Math.round(height * sharp)) {
      this.canvas.width = Math.round(width * sharp);
      this.canvas.height = Math.round(height * sharp);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    L.DomUtil.setPosition(this.canvas, map.containerPointToLayerPoint([0, 0]));
    const g = this.canvas.getContext('2d')!;
    g.setTransform(sharp, 0, 0, sharp, 0, 0);
    g.clearRect(0, 0, width, height);
    g.textBaseline = 'middle';
    const { scale, east, north } = this;
    drawBase(g, this.base!, { scale, east, north, width, height, sharp }, (c) => this.palette[c]);
    this.drawGrid(g, width, height);
    this.hits = [];
    const names = this.nameWaters();
    this.drawMonsters(g, width, height, names);
    this.drawStill(g, width, height, names);
    const taken: Box[] = [];
    const moving = this.drawPlayers(g, width, height, now, names, taken);
    this.drawNames(g, names, taken);
    // Where there is much to draw, most of the time is left to the rest of the page.
    const took = performance.now() - began;
    if (moving) this.pause = window.setTimeout(() => this.later(), took > 4 ? 3 * took : 0);
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
      g.fillText(String(x), at + 4, height - 10);
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

  /** Draws a mark for each monster: of thousands, no more than a speck. */
  private drawMonsters(g: CanvasRenderingContext2D, width: number, height: number, names: Name[]): void {
    const { monsters, shown, selected } = this.scene;
    if (!shown.has('monster')) return;
    const zoom = this.chart!.getZoom();
    const size = zoom < fromZoom.monsters ? 1 : zoom < -1 ? 1.8 : 3.2;
    g.fillStyle = this.palette.monster;
    for (const monster of monsters) {
      const p = this.pixel(monster);
      if (outside(p, width, height)) continue;
      const half = monster.named ? size * 1.7 : size;
      if (zoom < -1) g.fillRect(p.x - half, p.y - half, 2 * half, 2 * half);
      else triangle(g, p, half * 1.4);
      if (zoom < fromZoom.monsters) continue;
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
    if (!shown.has('player')) return false;
    const zoom = this.chart!.getZoom();
    let moving = false;
    const spots = new Map(this.inside.map((p) => [p, along(p.walk, now)]));
    for (const { walk } of this.inside) moving ||= now < walk.began + walk.lasts && (walk.from.x !== walk.to.x || walk.from.z !== walk.to.z);
    const chosen = selected?.sort === 'player' ? this.inside.find((p) => p.id === selected.player.id) : undefined;
    const { clusters, single } = gather(this.inside.filter((p) => p !== chosen), (p) => spots.get(p)!, zoom);
    const one = (player: LivePlayer) => {
      const at = spots.get(player)!;
      const p = this.pixel(at);
      if (outside(p, width, height)) return;
      if (player === chosen) this.ring(g, p);
      if (zoom >= fromZoom.headings) this.look(g, p, at.yaw);
      const dot = this.dot(player.role === 'player' ? this.palette.player : this.palette.staff, zoom < fromZoom.placeNames ? 4 : 5);
      g.drawImage(dot, p.x - dotSize / 2, p.y - dotSize / 2, dotSize, dotSize);
      this.hits.push({ thing: { sort: 'player', player }, p, size: 3 });
      if (player === chosen || zoom >= fromZoom.playerNames) names.push({ text: player.name, ...p, off: 7, rank: player === chosen ? 1 : 4, style: 'player' });
    };
    single.forEach(one);
    for (const c of clusters) {
      const p = this.pixel(c);
      if (outside(p, width, height)) continue;
      const size = this.drawCluster(g, p, c.members.length);
      taken.push([p.x - size, p.y - size, p.x + size, p.y + size]);
      this.hits.push({ thing: { sort: 'cluster', x: c.x, y: c.members[0]!.y, z: c.z, members: c.members }, p, size });
    }
    if (chosen) one(chosen);
    return moving;
  }

  /** Draws how many stand together, and returns how large that is. */
  private drawCluster(g: CanvasRenderingContext2D, p: Pixel, n: number): number {
    const size = 9 + 4 * Math.log10(n);
    circle(g, p, size, this.palette.player, true, this.palette.halo);
    g.font = `650 12px ${faces}`;
    g.fillStyle = this.palette.paper;
    g.textAlign = 'center';
    g.fillText(String(n), p.x, p.y + 0.5);
    g.textAlign = 'start';
    return size;
  }

  /** A drawing of a dot: many are drawn sooner as pictures than as circles. */
  private dot(fill: string, radius: number): HTMLCanvasElement {
    const sharp = devicePixelRatio || 1;
    const key = `${fill} ${radius} ${sharp}`;
    let dot = this.dots.get(key);
    if (!dot) {
      dot = document.createElement('canvas');
      dot.width = dot.height = dotSize * sharp;
      const g = dot.getContext('2d')!;
      g.scale(sharp, sharp);
      circle(g, { x: dotSize / 2, y: dotSize / 2 }, radius, fill, true, this.palette.halo);
      this.dots.set(key, dot);
    }
    return dot;
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

  private ring(g: CanvasRenderingContext2D, p: Pixel): void {
    g.strokeStyle = this.palette.selected;
    g.lineWidth = 3;
    g.beginPath();
    g.arc(p.x, p.y, 12, 0, 2 * Math.PI);
    g.stroke();
  }

  private drawNames(g: CanvasRenderingContext2D, names: Name[], taken: Box[]): void {
    for (const { name, left, y } of placeNames(names, (n) => this.width(g, n), taken)) {
      g.font = fonts[name.style];
      g.lineWidth = 3.5;
      g.lineJoin = 'round';
      if (name.style !== 'water') {
        g.strokeStyle = this.palette.halo;
        g.strokeText(name.text, left, y);
      }
      g.fillStyle = name.style === 'water' ? this.palette.water : this.palette.ink;
      g.fillText(name.text, left, y);
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
