import type { Spawner } from '../answers';
import { me, post } from '../api';
import { may } from '../actions/actions';
import { coordinates } from '../format';
import { say, useWords } from '../i18n';
import { explain, useLoaded } from '../parts/loaded';
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
  const { changed } = await post<Turned>('/api/spawners', { ...request, at: { ...request.at, yaw: 0 } });
  return say()('spawnersTurned', { n: changed });
}

/** What an operator may do with a monster, and with where it comes from. */
export function MonsterActions({ monster, changed }: { monster: Beast; changed: () => void }) {
  const t = useWords();
  if (!may(useStore(me)?.role, 'gamemaster')) return null;
  const at = { x: monster.x, y: monster.y, z: monster.z };
  const remove = async () => {
    await post('/api/monsters/remove', { id: monster.id });
    return say()('monsterRemoved');
  };
  return (
    <div class="actions">
      <button type="button" class="small risky" onClick={() => attempt(remove, changed)}>
        {t('removeMonster')}
      </button>
      <button type="button" class="small" onClick={() => attempt(() => turn({ at, off: true }), changed)}>
        {t('spawnersOff')}
      </button>
      <button type="button" class="small" onClick={() => attempt(() => turn({ at, off: false }), changed)}>
        {t('spawnersOn')}
      </button>
    </div>
  );
}

const noted = 1100; // ms until a snapshot of the world has what was changed

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
export function TurnedOff({ monsters }: { monsters: number }) {
  const t = useWords();
  const off = useLoaded<Spawner[]>('/api/spawners', 10_000);
  const mayTurn = may(useStore(me)?.role, 'gamemaster');
  const all = off.value ?? [];
  return (
    <>
      <h2>{t.count('monstersHere', monsters)}</h2>
      {all.length > 0 && (
        <>
          <h3>{t.count('turnedOff', all.length)}</h3>
          <ul class="turned-off">
            {all.slice(0, listed).map((s) => (
              <li key={s.key}>
                {coordinates(s.at)}{' '}
                {mayTurn && (
                  <button type="button" class="small" onClick={() => attempt(() => turn({ key: s.key, at: s.at, off: false }), off.again)}>
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
