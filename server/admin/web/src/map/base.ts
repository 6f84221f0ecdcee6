import type { Geography, Sketch } from '../answers';
import { heading } from './projection';

/** What lies below everything else, ready to be drawn. Lengths are metres. */
export interface Base {
  land: Path2D | null;
  roads: Path2D;
  towns: Path2D;
  houses: Path2D;
  blocks: Path2D;
  rooms: Path2D;
  trees: Spot[];
  peaks: Spot[];
}

interface Spot {
  x: number;
  z: number;
}

/** How the plane of the world lies on the canvas: pixels of a point are x * scale + east, and north - z * scale. */
export interface Lie {
  scale: number;
  east: number;
  north: number;
  width: number;
  height: number;
  /** Dots of the screen to a pixel of the page. */
  sharp: number;
}

export type BaseColour = 'sea' | 'shallow' | 'land' | 'coast' | 'wood' | 'peak' | 'road' | 'town' | 'house' | 'room';

const street = 14; // from the middle of a road to the houses beside it
const room = 32;

/** Prepares the base of an area. */
export function baseOf(geography: Geography, area: string): Base {
  const sketch = geography.areas.find((a) => a.key === area)?.sketch ?? null;
  const here = <T extends { area: string }>(all: T[]) => all.filter((v) => v.area === area);
  const towns = new Path2D();
  const houses = new Path2D();
  const blocks = new Path2D();
  const rooms = new Path2D();
  const people = here(geography.townsfolk);
  if (sketch) {
    for (const p of here(geography.places)) {
      if (p.kind !== 'city') continue;
      disc(towns, p, geography.peace);
      blocksOf(blocks, p, geography.peace, sketch);
    }
    for (const t of people) house(houses, t, t.angle);
  } else {
    for (const p of [...here(geography.places), ...people, ...here(geography.portals)]) rooms.roundRect(p.x - room, p.z - room, 2 * room, 2 * room, 8);
  }
  const land = sketch && landOf(sketch);
  const scattered = (kind: string, count: number, step: number) => (sketch && land ? scatter(sketch, kind, count, step, land) : []);
  return { land, roads: roadsOf(sketch), towns, houses, blocks, rooms, trees: scattered('wood', 34, 62), peaks: scattered('mountains', 15, 95) };
}

function disc(path: Path2D, p: Spot, radius: number): void {
  path.moveTo(p.x + radius, p.z);
  path.arc(p.x, p.z, radius, 0, 2 * Math.PI);
}

/** A house behind somebody who stands before it. */
function house(path: Path2D, p: Spot, angle: number): void {
  const [right, down] = heading(angle);
  const [fx, fz] = [right, -down];
  const corner = (along: number, across: number): [number, number] => [p.x + fx * along - fz * across, p.z + fz * along + fx * across];
  path.moveTo(...corner(-3, -8));
  path.lineTo(...corner(-3, 8));
  path.lineTo(...corner(-15, 8));
  path.lineTo(...corner(-15, -8));
  path.closePath();
}

/** Houses around the middle of a town, as far as it reaches, with its roads between them. */
function blocksOf(path: Path2D, town: Spot, reach: number, { roads }: Sketch): void {
  const points = roads.flatMap(({ line }) => between(line));
  for (let i = 6; ; i++) {
    const [radius, angle] = [13 * Math.sqrt(i), i * 2.4];
    if (radius > reach - 10) return;
    const spot = { x: town.x + radius * Math.cos(angle), z: town.z + radius * Math.sin(angle) };
    if (!points.some((p) => Math.hypot(p.x - spot.x, p.z - spot.z) < street)) house(path, spot, Math.PI / 2 - angle);
  }
}

/** Points of a line, no further than a street is wide from each other. */
function between(line: number[]): Spot[] {
  const points: Spot[] = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x, z, dx, dz] = [line[i]!, line[i + 1]!, line[i + 2]! - line[i]!, line[i + 3]! - line[i + 1]!];
    const steps = Math.ceil(Math.hypot(dx, dz) / street);
    for (let n = 0; n < steps; n++) points.push({ x: x + (dx * n) / steps, z: z + (dz * n) / steps });
  }
  return points;
}

/** The coasts, rounded. */
function landOf({ land }: Sketch): Path2D {
  const path = new Path2D();
  for (const ring of land) {
    const n = ring.length / 2;
    const at = (i: number): [number, number] => [ring[2 * (i % n)]!, ring[2 * (i % n) + 1]!];
    const mid = (i: number): [number, number] => [(at(i)[0] + at(i + 1)[0]) / 2, (at(i)[1] + at(i + 1)[1]) / 2];
    path.moveTo(...mid(0));
    for (let i = 1; i <= n; i++) path.quadraticCurveTo(...at(i), ...mid(i));
    path.closePath();
  }
  return path;
}

function roadsOf(sketch: Sketch | null): Path2D {
  const path = new Path2D();
  for (const { line } of sketch?.roads ?? []) {
    path.moveTo(line[0]!, line[1]!);
    for (let i = 2; i < line.length; i += 2) path.lineTo(line[i]!, line[i + 1]!);
  }
  return path;
}

/** Spots around the middles of regions, like the seeds of a sunflower, those in the water left out. */
function scatter({ regions }: Sketch, kind: string, count: number, step: number, land: Path2D): Spot[] {
  const spots: Spot[] = [];
  const g = document.createElement('canvas').getContext('2d')!;
  for (const r of regions) {
    if (r.kind !== kind) continue;
    for (let i = 1; i <= count; i++) {
      const [radius, angle] = [step * Math.sqrt(i), i * 2.4 + r.x];
      const spot = { x: r.x + radius * Math.cos(angle), z: r.z + radius * Math.sin(angle) };
      if (g.isPointInPath(land, spot.x, spot.z, 'evenodd')) spots.push(spot);
    }
  }
  return spots.sort((a, b) => b.z - a.z);
}

type Paint = (path: Path2D, c: BaseColour, pixels: number) => void;

/** Lets the lengths that are drawn be metres of the world, until the canvas is restored. */
function inMetres(g: CanvasRenderingContext2D, { scale, east, north, sharp }: Lie, colour: (c: BaseColour) => string): Paint {
  g.save();
  g.setTransform(sharp * scale, 0, 0, -sharp * scale, sharp * east, sharp * north);
  g.lineJoin = g.lineCap = 'round';
  return (path, c, pixels) => {
    g.strokeStyle = colour(c);
    g.lineWidth = pixels / scale;
    g.stroke(path);
  };
}

/** Draws the roads between towns. */
function strokeRoads(stroke: Paint, base: Base, scale: number): void {
  const wide = Math.max(1.6, 7 * scale);
  stroke(base.roads, 'coast', wide + 1.6);
  stroke(base.roads, 'road', wide);
}

/** Draws what of the base is not in the relief of a land: the roads between towns, and the fainter the nearer one looks. */
export function drawRoads(g: CanvasRenderingContext2D, base: Base, lie: Lie, colour: (c: BaseColour) => string): void {
  g.globalAlpha = Math.min(1, 0.25 / lie.scale);
  strokeRoads(inMetres(g, lie, colour), base, Math.min(lie.scale, 0.3));
  g.restore();
  g.globalAlpha = 1;
}

/** Draws it. */
export function drawBase(g: CanvasRenderingContext2D, base: Base, lie: Lie, colour: (c: BaseColour) => string): void {
  const { scale, width, height } = lie;
  if (base.land) {
    g.fillStyle = colour('sea');
    g.fillRect(0, 0, width, height);
  }
  const stroke = inMetres(g, lie, colour);
  const fill = (path: Path2D, c: BaseColour) => {
    g.fillStyle = colour(c);
    g.fill(path, 'evenodd');
  };
  if (base.land) {
    g.globalAlpha = 0.45;
    for (const pixels of [26, 15, 7]) stroke(base.land, 'shallow', pixels);
    g.globalAlpha = 1;
    fill(base.land, 'land');
    stroke(base.land, 'coast', 1.4);
  }
  g.fillStyle = colour('room');
  g.fill(base.rooms);
  fill(base.towns, 'town');
  stroke(base.towns, 'coast', 1.6);
  strokeRoads(stroke, base, scale);
  if (scale > 0.2) {
    // A sketch is not for looking at closely: people walk where it has houses.
    const faded = Math.min(1, 1.5 / scale);
    g.fillStyle = colour('house');
    g.globalAlpha = 0.4 * faded;
    g.fill(base.blocks);
    g.globalAlpha = faded;
    g.fill(base.houses);
    g.globalAlpha = 1;
  }
  g.restore();
  drawSpots(g, base, lie, colour);
}

/** Draws trees and peaks, which are as large at each zoom. */
function drawSpots(g: CanvasRenderingContext2D, base: Base, lie: Lie, colour: (c: BaseColour) => string): void {
  const size = Math.min(11, 4 + 40 * lie.scale);
  const each = (spots: Spot[], draw: (x: number, y: number) => void) => {
    g.beginPath();
    for (const s of spots) {
      const [x, y] = [s.x * lie.scale + lie.east, lie.north - s.z * lie.scale];
      if (x > -20 && y > -20 && x < lie.width + 20 && y < lie.height + 20) draw(x, y);
    }
  };
  each(base.trees, (x, y) => {
    g.moveTo(x, y - size);
    g.lineTo(x + size / 2, y);
    g.lineTo(x - size / 2, y);
    g.closePath();
  });
  g.fillStyle = colour('wood');
  g.fill();
  each(base.peaks, (x, y) => {
    g.moveTo(x - size, y);
    g.lineTo(x, y - size * 1.1);
    g.lineTo(x + size, y);
  });
  g.strokeStyle = colour('peak');
  g.lineWidth = 1.6;
  g.lineJoin = 'round';
  g.stroke();
}
