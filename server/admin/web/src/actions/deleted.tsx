import type { DeletedCharacter } from '../answers';
import { moment, number } from '../format';
import { useWords } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { level } from '../pages/online';
import { ActionButtons } from './buttons';

/** The deleted characters of an account that can come back, each with its button; nothing if there are none. */
export function DeletedOf({ account, done }: { account: number; done?: () => void }) {
  const t = useWords();
  const loading = useLoaded<DeletedCharacter[]>(`/api/accounts/${account}/deleted`);
  return (
    <Loaded from={loading}>
      {(all) =>
        all.length > 0 && (
          <section class="mission" aria-label={t('deletedCharacters')}>
            <h3>{t('deletedCharacters')}</h3>
            {all.map((d) => (
              <div key={d.id}>
                <p class="hint">
                  <strong>{d.name}</strong> · {level(d.level)} · {t.count('items', d.items)} · {t('moneyOf', { amount: number(d.money, t.language) })}
                  <br />
                  {t('deletedAt', { at: moment(d.deleted, t.language), until: moment(d.keptUntil, t.language) })}
                </p>
                <ActionButtons names={['undelete']} target={async () => ({ name: d.name, character: d.id })} {...(done ? { done } : {})} />
              </div>
            ))}
          </section>
        )
      }
    </Loaded>
  );
}
