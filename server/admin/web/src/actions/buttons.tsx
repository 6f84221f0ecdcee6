import type { Account, Character, Player } from '../answers';
import { get, me, withQuery } from '../api';
import { say, useWords } from '../i18n';
import { explain } from '../parts/loaded';
import { tell } from '../parts/notices';
import { useStore } from '../store';
import { actions, may, type ActionName, type Target } from './actions';
import { ask } from './form';

/** Buttons for what the operator may do with a target. */
export function ActionButtons({ names, target, done }: { names: ActionName[]; target: () => Promise<Target>; done?: () => void }) {
  const t = useWords();
  const who = useStore(me);
  const open = async (name: ActionName) => {
    try {
      ask(name, await target(), done);
    } catch (cause) {
      tell(explain(cause, say()), true);
    }
  };
  return (
    <div class="actions">
      {names
        .filter((name) => may(who?.role, actions[name].need))
        .map((name) => (
          <button key={name} type="button" class={'danger' in actions[name] ? 'small risky' : 'small'} onClick={() => open(name)}>
            {t(actions[name].title)}
          </button>
        ))}
    </div>
  );
}

/** The account of a login. */
export async function accountOf(login: string): Promise<Account> {
  const found = await get<Account[]>(withQuery('/api/accounts', { search: login, limit: 100 }));
  const account = found.find((a) => a.login.toLowerCase() === login.toLowerCase());
  if (!account) throw new Error(say()('noAccount', { login }));
  return account;
}

/** An address without its port. */
export const host = (address: string) => address.replace(/^\[?([^\]]*?)\]?:\d+$/, '$1');

/** What an operator does with an account. */
export function accountTarget(a: Account): Target {
  return { name: a.login, login: a.login, account: a.id, role: a.role, ...(a.lastAddress ? { address: host(a.lastAddress) } : {}) };
}

/** Everything that can be done with somebody who plays. */
export function PlayerActions({ player, done }: { player: Player; done?: () => void }) {
  const target = { name: player.name, player: player.id, character: player.character, login: player.account, level: player.level, dead: player.hp <= 0 };
  return <CharacterActions target={target} {...(done ? { done } : {})} />;
}

/** What an operator does with a character, in the world or not. */
export function characterTarget(c: Character): Target & { login: string } {
  return { name: c.name, character: c.id, login: c.account, level: c.level };
}

/** Everything that can be done with a character and its account; more while it is in the world. */
export function CharacterActions({ target, done, gone }: { target: Target & { login: string }; done?: () => void; gone?: () => void }) {
  const more = done ? { done } : {};
  const itself = async () => target;
  const health: ActionName[] = target.dead === undefined ? ['heal', 'revive'] : [target.dead ? 'revive' : 'heal'];
  const here: ActionName[] = ['teleport', 'unstuck', ...health, 'give'];
  return (
    <>
      <ActionButtons names={target.player === undefined ? here : ['message', ...here, 'kick']} target={itself} {...more} />
      <div class="actions">
        <ActionButtons names={['money', 'levels', 'points', 'rename', 'clear']} target={itself} {...more} />
        <ActionButtons names={['deleteCharacter']} target={itself} {...(gone ? { done: gone } : more)} />
      </div>
      <ActionButtons names={['mute', 'ban']} target={async () => accountTarget(await accountOf(target.login))} {...more} />
    </>
  );
}
