import L from 'leaflet';
import type { Geography, Place, Portal, Townsman } from '../answers';
import type { LivePlayer } from '../live';
import { colour } from '../theme';
import { along, areaAt, fromLatLng, gridLines, gridStep, heading, pixelsPerMetre, type Heights } from './projection';

/** What can be pointed at. */
export type Thing =
  | { sort: 'player'; player: LivePlayer }
  | { sort: 'townsman'; townsman: Townsman }
  | { sort: 'portal'; portal: Portal }
  | { sort: 'place'; place: Place };

export type Sort = Thing['sort'];

/** What the layer draws. */
export interface Scene {
  geography: Geography;
  heights: Heights;
  area: string;
  shown: ReadonlySet<Sort>;
  players: ReadonlyMap<number, LivePlayer>;
  selected: Thing | null;
  /** What a place is called. */
  nameOf(p: Place): string;
}

/** The colours of the map, by what they are for. */
interface Palette {
  grid: string;
  axis: string;
  ink: string;
  halo: string;
  player: string;
  staff: string;
  townsman: string;
  portal: string;
  place: string;
  selected: string;
}

const reach = 14; // pixels within which a click hits
const townNames = -4.2; // zooms from which names, and where people look, are drawn
const placeNames = -2;
const playerNames = -0.5;
const headings = -1;
const mostNames = 150;
const dotSize = 14; // pixels
const font = '12px system-ui, sans-serif';
const townFont = '600 14px system-ui, sans-serif';

/** A point of the canvas, in pixels of the page. */
interface Pixel {
  x: number;
  y: number;
}

/** A name on the map; those of a lower rank are drawn first. */
interface Name {
  text: string;
  x: number;
  y: number;
  rank: number;
}

/** True where two things are the same one. */
export function same(a: Thing | null, b: Thing | null): boolean {
  return keyOf(a) === keyOf(b);
}

/** A name for a thing that no other has. */
export function keyOf(t: Thing | null): string {
  switch (t?.sort) {
    case 'player':
      return `player ${t.player.id}`;
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
    case 'townsman':
      return t.townsman;
    case 'portal':
      return t.portal;
    case 'place':
      return t.place;
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
  /** Pixels of a point are x * scale + east, and north - z * scale. */
  private scale = 1;
  private east = 0;
  private north = 0;
  private readonly dots = new Map<string, HTMLCanvasElement>();

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
    this.inside = [...scene.players.values()].filter((p) => areaAt(scene.heights, p.y) === scene.area);
    this.later();
  }

  /** Takes the colours of the page anew. */
  recolour(): void {
    const of = (name: string) => colour(`--map-${name}`);
    this.palette = {
      grid: of('grid'),
      axis: of('axis'),
      ink: of('ink'),
      halo: of('halo'),
      player: of('player'),
      staff: of('staff'),
      townsman: of('townsman'),
      portal: of('portal'),
      place: of('place'),
      selected: of('selected'),
    };
    this.dots.clear();
    this.later();
  }

  /** The thing at a point of the map; those that lie above others first. */
  at(point: Pixel): Thing | null {
    this.measure();
    let [found, least]: [Thing | null, number] = [null, reach];
    const now = performance.now();
    for (const thing of this.things()) {
      const p = this.pixel(shownAt(thing, now));
      const off = Math.hypot(p.x - point.x, p.y - point.y) - (thing.sort === 'player' ? 3 : 0);
      if (off < least) [found, least] = [thing, off];
    }
    return found;
  }

  private *things(): Generator<Thing> {
    const { area, geography, shown } = this.scene;
    if (shown.has('player')) for (const player of this.inside) yield { sort: 'player', player };
    if (shown.has('townsman')) for (const townsman of geography.townsfolk) if (townsman.area === area) yield { sort: 'townsman', townsman };
    if (shown.has('portal')) for (const portal of geography.portals) if (portal.area === area) yield { sort: 'portal', portal };
    if (shown.has('place')) for (const place of geography.places) if (place.area === area) yield { sort: 'place', place };
  }

  private pixel(p: { x: number; z: number }): Pixel {
    return { x: p.x * this.scale + this.east, y: this.north - p.z * this.scale };
  }

  /** Takes from the map where points lie now. */
  private measure(): void {
    const map = this.chart!;
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
    this.measure();
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
    g.font = font;
    g.textBaseline = 'middle';
    this.drawGrid(g, width, height);
    const names = this.drawStill(g, width, height);
    const moving = this.drawPlayers(g, width, height, now, names);
    this.drawNames(g, names);
    // Where there is much to draw, most of the time is left to the rest of the page.
    const took = performance.now() - began;
    if (moving) this.pause = window.setTimeout(() => this.later(), took > 4 ? 3 * took : 0);
  }

  private drawGrid(g: CanvasRenderingContext2D, width: number, height: number): void {
    const { scale, east, north } = this;
    const step = gridStep(this.chart!.getZoom());
    g.lineWidth = 1;
    g.fillStyle = this.palette.axis;
    for (const x of gridLines(-east / scale, (width - east) / scale, step)) {
      const at = Math.round(east + x * scale) + 0.5;
      this.line(g, x, at, 0, at, height);
      g.fillText(String(x), at + 4, height - 10);
    }
    for (const z of gridLines((north - height) / scale, north / scale, step)) {
      const at = Math.round(north - z * scale) + 0.5;
      this.line(g, z, 0, at, width, at);
      if (at < height - 24) g.fillText(String(z), 4, at - 8);
    }
  }

  private line(g: CanvasRenderingContext2D, value: number, x1: number, y1: number, x2: number, y2: number): void {
    g.strokeStyle = value === 0 ? this.palette.axis : this.palette.grid;
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x2, y2);
    g.stroke();
  }

  /** Draws what does not move, and returns the names that belong to it. */
  private drawStill(g: CanvasRenderingContext2D, width: number, height: number): Name[] {
    const zoom = this.chart!.getZoom();
    const size = zoom < -2 ? 2.5 : 4;
    const names: Name[] = [];
    for (const thing of this.things()) {
      if (thing.sort === 'player') continue;
      const p = this.pixel(shownAt(thing, 0));
      if (outside(p, width, height)) continue;
      if (same(thing, this.scene.selected)) this.ring(g, p);
      if (thing.sort === 'townsman') {
        g.fillStyle = this.palette.townsman;
        g.fillRect(p.x - size, p.y - size, 2 * size, 2 * size);
      } else if (thing.sort === 'portal') {
        diamond(g, p, size + 1.5, this.palette.portal);
      } else {
        const town = thing.place.kind === 'city';
        circle(g, p, town ? 6 : 3.5, this.palette.place, town);
        if (zoom >= (town ? townNames : placeNames)) names.push({ text: this.scene.nameOf(thing.place), x: p.x + 10, y: p.y, rank: town ? 1 : 2 });
      }
    }
    return names;
  }

  /** Draws everybody; true while somebody is on the way. */
  private drawPlayers(g: CanvasRenderingContext2D, width: number, height: number, now: number, names: Name[]): boolean {
    const { selected, shown } = this.scene;
    if (!shown.has('player')) return false;
    const zoom = this.chart!.getZoom();
    let moving = false;
    for (const player of this.inside) {
      const { walk } = player;
      moving ||= now < walk.began + walk.lasts && (walk.from.x !== walk.to.x || walk.from.z !== walk.to.z);
      const at = along(walk, now);
      const p = this.pixel(at);
      if (outside(p, width, height)) continue;
      const chosen = selected?.sort === 'player' && selected.player.id === player.id;
      if (chosen) this.ring(g, p);
      if (zoom >= headings) this.look(g, p, at.yaw);
      const dot = this.dot(player.role === 'player' ? this.palette.player : this.palette.staff, zoom < placeNames ? 4 : 5);
      g.drawImage(dot, p.x - dotSize / 2, p.y - dotSize / 2, dotSize, dotSize);
      if (chosen || zoom >= playerNames) names.push({ text: player.name, x: p.x + 9, y: p.y - 10, rank: chosen ? 0 : 3 });
    }
    return moving;
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

  /** Draws names above everything else, the most important first; what would lie on another is left out. */
  private drawNames(g: CanvasRenderingContext2D, names: Name[]): void {
    const taken: [number, number, number, number][] = [];
    for (const n of names.sort((a, b) => a.rank - b.rank)) {
      if (taken.length >= mostNames) return;
      g.font = n.rank === 1 ? townFont : font;
      const [left, top, right, bottom] = [n.x - 2, n.y - 7, n.x + 2 + g.measureText(n.text).width, n.y + 7];
      if (taken.some((t) => left < t[2] && right > t[0] && top < t[3] && bottom > t[1])) continue;
      taken.push([left, top, right, bottom]);
      g.lineWidth = 3.5;
      g.lineJoin = 'round';
      g.strokeStyle = this.palette.halo;
      g.strokeText(n.text, n.x, n.y);
      g.fillStyle = this.palette.ink;
      g.fillText(n.text, n.x, n.y);
    }
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

function diamond(g: CanvasRenderingContext2D, p: Pixel, size: number, fill: string): void {
  g.fillStyle = fill;
  g.beginPath();
  g.moveTo(p.x, p.y - size);
  g.lineTo(p.x + size, p.y);
  g.lineTo(p.x, p.y + size);
  g.lineTo(p.x - size, p.y);
  g.fill();
}
