import type { Geography } from '../answers';
import type { Speech } from '../i18n';
import type { Den } from './dens';
import type { Thing } from './layer';

const named = 5;

/** What is told of the thing under the pointer: its name, and a line more. */
export function tipOf(thing: Thing, geography: Geography, t: Speech): [title: string, detail: string] {
  const place = (key: string | undefined) => {
    const known = geography.places.find((p) => p.key === key);
    return known ? t.both(known.name) : '';
  };
  switch (thing.sort) {
    case 'player': {
      const { name, role, level, clan } = thing.player;
      const rank = role === 'player' ? '' : t.named('role', role);
      return [name, [rank, t('tipLevel', { title: level.title, degree: level.degree }), clan].filter(Boolean).join(' · ')];
    }
    case 'cluster': {
      const names = thing.members.map((p) => p.name).sort();
      const more = names.length - named;
      return [t.count('together', names.length), names.slice(0, named).join(', ') + (more > 0 ? ` ${t.count('moreHere', more)}` : '')];
    }
    case 'monster':
      return [t.both(thing.monster.name), t('monsterTip', { level: thing.monster.level, hp: thing.monster.hp, max: thing.monster.maxHp })];
    case 'spawner':
      return [t('denTip', { level: thing.den.level }), kindsOf(thing.den, t, named) + (thing.den.off ? ` · ${t('denOff')}` : '')];
    case 'townsman':
      return [capital(t.both(thing.townsman.label)), place(thing.townsman.town)];
    case 'portal':
      return [capital(t.named('portal', String(thing.portal.class))), thing.portal.place ? `→ ${place(thing.portal.place)}` : ''];
    case 'place':
      return [t.both(thing.place.name), t.named('place', thing.place.kind)];
  }
}

/** What comes from a place: its first kinds, and how many more. */
export function kindsOf({ kinds }: Den, t: Speech, most: number): string {
  const more = kinds.length - most;
  return kinds.slice(0, most).map(t.both).join(', ') + (more > 0 ? ` ${t.count('moreHere', more)}` : '');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
