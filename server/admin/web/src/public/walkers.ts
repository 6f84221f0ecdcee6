import type { PublicPlayer } from '../answers';
import type { LivePlayer } from '../live';
import { along, jump } from '../map/projection';

/** How far apart in time two positions are, in milliseconds. */
export const period = 3000;

const nothing = { title: 0, degree: 0, titleRebirths: 0, degreeRebirths: 0 };

/**
 * Those whose place is told, as the map draws them. Who has a name goes from where he was shown to where he is; of the others nobody knows who
 * is who, so they stand where they are.
 */
export function walkers(told: readonly PublicPlayer[], before: ReadonlyMap<number, LivePlayer>, now: number, lasts: number, nobody: string): Map<number, LivePlayer> {
  const known = new Map([...before.values()].map((p) => [p.name, p]));
  const all = new Map<number, LivePlayer>();
  told.forEach((p, i) => {
    if (!p.at) return;
    const id = i + 1; // to the map 0 is nobody
    const [x, y, z, yaw] = p.at;
    const to = { area: '', x, y, z, yaw };
    const was = p.name ? known.get(p.name) : undefined;
    const shown = was ? { ...was.walk.to, ...along(was.walk, now) } : to;
    const walked = was !== undefined && Math.hypot(x - shown.x, y - shown.y, z - shown.z) <= jump;
    all.set(id, {
      id, character: 0, name: p.name ?? nobody, account: '', role: 'player', place: { ru: '', en: '' }, clan: p.clan ?? '',
      level: { ...nothing, title: p.title ?? 0, degree: p.degree ?? 0 }, hp: 0, maxHp: 0, entered: '', minutes: 0, seconds: 0, pingMs: null, bytesIn: 0, bytesOut: 0,
      ...to, walk: { from: walked ? shown : to, to, began: now, lasts: walked ? lasts : 0 },
    });
  });
  return all;
}
