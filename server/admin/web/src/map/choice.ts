import type { LivePlayer } from '../live';
import type { Den } from './dens';
import type { Choice } from './layer';
import type { Beast } from './monsters';

/** What is known now of what can be chosen; what is left out is not known. */
interface Known {
  players?: ReadonlyMap<number, LivePlayer> | undefined;
  monsters?: readonly Beast[] | undefined;
  dens?: readonly Den[] | undefined;
}

/** What was chosen, as it is now; null once it has gone. Who has come back is another player, but the same character. */
export function renewed(was: Choice | null, now: Known): Choice | null {
  if (was?.sort === 'player' && now.players) {
    const { id, character } = was.player;
    const player = now.players.get(id) ?? [...now.players.values()].find((p) => p.character === character);
    if (player === was.player) return was;
    return player ? { sort: 'player', player } : null;
  }
  if (was?.sort === 'monster' && now.monsters) {
    const monster = now.monsters.find((m) => m.id === was.monster.id);
    if (monster === was.monster) return was;
    return monster ? { sort: 'monster', monster } : null;
  }
  if (was?.sort === 'spawner' && now.dens) {
    const den = now.dens.find((d) => d.key === was.den.key);
    if (den === was.den) return was;
    return den ? { sort: 'spawner', den } : null;
  }
  return was;
}
