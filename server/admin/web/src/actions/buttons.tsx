import type { Account, Player } from '../answers';
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

/** What an operator does with an account. */
export function accountTarget(a: Account): Target {
  return { name: a.login, login: a.login, account: a.id, role: a.role };
}

/** Everything that can be done with somebody who plays. */
export function PlayerActions({ player, done }: { player: Player; done?: () => void }) {
  const target: Target = { name: player.name, player: player.id, login: player.account };
  return (
    <>
      <ActionButtons names={['message', 'teleport', 'unstuck', 'give', 'kick']} target={async () => target} {...(done ? { done } : {})} />
      <ActionButtons
        names={['mute', 'ban']}
        target={async () => ({ ...accountTarget(await accountOf(player.account)), player: player.id })}
        {...(done ? { done } : {})}
      />
    </>
  );
}
