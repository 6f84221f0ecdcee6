import type { Height } from '../answers';
import { ActionButtons } from '../actions/buttons';
import { withQuery } from '../api';
import { useWords } from '../i18n';
import { copy } from '../parts/copy';
import { Icon } from '../parts/icon';
import { useLoaded } from '../parts/loaded';
import { tell } from '../parts/notices';
import { pointText, teleportText, type Spot } from './spot';

/** Where the map was clicked, to be copied, or to have a monster summoned there. near is the height of something near, for where no land was imported. */
export function SpotCard({ spot, area, near, changed, close }: { spot: Spot; area: string; near: number | undefined; changed: () => void; close: () => void }) {
  const t = useWords();
  const asked = useLoaded<Height>(withQuery('/api/height', { area, x: spot.x.toFixed(2), z: spot.z.toFixed(2) }));
  const known = asked.value?.y ?? undefined;
  const y = known ?? near;
  const put = async (text: string) => {
    const done = await copy(text);
    tell(done ? t('copied', { text }) : t('notCopied', { text }), !done);
  };
  return (
    <section class="spot-card" aria-label={t('spot')}>
      <p role="status">
        x {Math.round(spot.x)} · {y === undefined ? t('heightUnknown') : `y ${known === undefined ? '≈ ' : ''}${Math.round(y)}`} · z {Math.round(spot.z)}
      </p>
      <button type="button" class="small" onClick={() => put(pointText(spot, y))}>
        {t('copy')}
      </button>
      {y !== undefined && (
        <button type="button" class="small" onClick={() => put(teleportText(spot, y))}>
          {t('copyTeleport')}
        </button>
      )}
      {y !== undefined && <ActionButtons names={['summon']} target={async () => ({ name: pointText(spot, y), at: { ...spot, y } })} done={changed} />}
      <button type="button" class="quiet" aria-label={t('close')} onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  );
}
