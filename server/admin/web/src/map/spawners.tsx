import type { SpawnerOff } from '../answers';
import { me, perform } from '../api';
import { may } from '../actions/actions';
import { ActionButtons } from '../actions/buttons';
import { say, useWords } from '../i18n';
import { explain } from '../parts/loaded';
import { tell } from '../parts/notices';
import { useStore } from '../store';
import type { Den } from './dens';
import type { Beast } from './monsters';

/** Does something, and says what has come of it. */
async function attempt(deed: () => Promise<string>, done: () => void): Promise<void> {
  try {
    tell(await deed());
    done();
  } catch (cause) {
    tell(explain(cause, say()), true);
  }
}

interface Turned {
  changed: number;
}

async function turn(request: { key?: string; at: { x: number; y: number; z: number }; off: boolean }): Promise<string> {
  const { changed } = await perform<Turned>('spawner-set', { ...request, at: { ...request.at, yaw: 0 } });
  return say()(request.off ? 'spawnersTurnedOff' : 'spawnersTurnedOn', { n: changed });
}

/** What an operator may do with a monster, and with where it comes from. */
export function MonsterActions({ monster, off, changed }: { monster: Beast; off: readonly SpawnerOff[]; changed: () => void }) {
  const t = useWords();
  if (!may(useStore(me)?.role, 'gamemaster')) return null;
  const at = { x: monster.x, y: monster.y, z: monster.z };
  const offNear = off.filter((s) => Math.hypot(s.at.x - at.x, s.at.z - at.z) <= around && Math.abs(s.at.y - at.y) <= around).length;
  const later = () => setTimeout(changed, noted);
  return (
    <div class="actions">
      <ActionButtons names={offNear === 0 ? ['removeMonster', 'spawnersOff'] : ['removeMonster']} target={async () => ({ name: t.both(monster.name), monster: monster.id, at })} done={later} />
      {offNear > 0 && (
        <>
          <button type="button" class="small" onClick={() => attempt(() => turn({ at, off: false }), later)}>
            {t('spawnersOn')}
          </button>
          <p class="hint">{t('offNear', { n: offNear })}</p>
        </>
      )}
    </div>
  );
}

const around = 100; // metres within which places are turned off and on together
/** Milliseconds until a snapshot of the world has what was changed. */
export const noted = 1100;

/** Turns a place where monsters come from off and on. */
export function DenActions({ den, changed }: { den: Den; changed: () => void }) {
  const t = useWords();
  if (!may(useStore(me)?.role, 'gamemaster')) return null;
  const at = { x: den.x, y: den.y, z: den.z };
  return (
    <div class="actions">
      <button type="button" class={den.off ? 'small' : 'small risky'} onClick={() => attempt(() => turn({ key: den.key, at, off: !den.off }), () => setTimeout(changed, noted))}>
        {t(den.off ? 'turnOn' : 'turnOff')}
      </button>
    </div>
  );
}

const listed = 100;

/** How many monsters are here, and where operators have turned them off. */
export function TurnedOff({ monsters, off: all, again }: { monsters: number; off: readonly SpawnerOff[]; again: () => void }) {
  const t = useWords();
  const mayTurn = may(useStore(me)?.role, 'gamemaster');
  return (
    <>
      <h2>{t.count('monstersHere', monsters)}</h2>
      {all.length > 0 && (
        <>
          <h3>{t.count('turnedOff', all.length)}</h3>
          <ul class="turned-off">
            {all.slice(0, listed).map((s) => (
              <li key={s.key}>
                {t.both(s.place)}, {t('levelOf', { n: s.level })}{' '}
                {mayTurn && (
                  <button type="button" class="small" onClick={() => attempt(() => turn({ key: s.key, at: s.at, off: false }), () => setTimeout(again, noted))}>
                    {t('turnOn')}
                  </button>
                )}
              </li>
            ))}
          </ul>
          {all.length > listed && <p class="hint">{t.count('moreHere', all.length - listed)}</p>}
        </>
      )}
    </>
  );
}
