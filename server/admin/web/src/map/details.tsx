import { useEffect, useState } from 'preact/hooks';
import { PlayerActions } from '../actions/buttons';
import type { Geography, Player } from '../answers';
import { bytes, coordinates, milliseconds, span } from '../format';
import { useWords } from '../i18n';
import { players } from '../live';
import { Icon } from '../parts/icon';
import { useLoaded } from '../parts/loaded';
import { withQuery } from '../api';
import { href } from '../router';
import { useStore } from '../store';
import { level } from '../pages/online';
import type { Choice } from './layer';
import type { Beast } from './monsters';
import { MonsterActions } from './spawners';

interface DetailsProps {
  thing: Choice;
  geography: Geography;
  following: boolean;
  follow: (yes: boolean) => void;
  /** Something was done to monsters. */
  changed: () => void;
  close: () => void;
}

/** What is known of the thing that was chosen, and what can be done with it. */
export function Details(props: DetailsProps) {
  const { thing, geography, close } = props;
  const t = useWords();
  const title = titleOf(thing, t.both);
  return (
    <section class="details" aria-label={title || t('sort.portal')}>
      <header>
        <h2>{title || t('sort.portal')}</h2>
        <button type="button" class="quiet" aria-label={t('close')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {thing.sort === 'player' ? <PlayerDetails {...props} player={thing.player} /> : thing.sort === 'monster' ? <MonsterDetails {...props} monster={thing.monster} /> : <StillDetails thing={thing} geography={geography} />}
    </section>
  );
}

function titleOf(thing: Choice, both: (name: { ru: string; en: string }) => string): string {
  switch (thing.sort) {
    case 'player':
      return thing.player.name;
    case 'monster':
      return both(thing.monster.name);
    case 'townsman':
      return both(thing.townsman.label);
    case 'place':
      return both(thing.place.name);
    case 'portal':
      return '';
  }
}

function PlayerDetails({ player, following, follow }: DetailsProps & { player: Player }) {
  const t = useWords();
  const l = t.language;
  useStore(players);
  const found = useLoaded<Player[]>(withQuery('/api/players', { search: player.name }), 5000).value?.find((p) => p.id === player.id);
  const now = players.value.get(player.id) ?? player;
  const since = useMinutes(player);
  return (
    <>
      <dl>
        <Row label={t('account')}>
          <a href={href('accounts', '', { search: now.account })}>{now.account}</a>
          {now.role !== 'player' && <span class="badge">{t.named('role', now.role)}</span>}
        </Row>
        {found?.address && <Row label={t('address')}>{found.address}</Row>}
        <Row label={t('place')}>{t.both(found?.place ?? now.place)}</Row>
        <Row label={t('coordinatesLabel')}>
          <span class="coordinates">{coordinates(now)}</span>
        </Row>
        <Row label={t('level')}>{level(now.level)}</Row>
        <Row label={t('hp')}>
          {found?.hp ?? now.hp} / {found?.maxHp ?? now.maxHp}
        </Row>
        {now.clan && <Row label={t('clan')}>{now.clan}</Row>}
        <Row label={t('inside')}>{span(since * 60, l)}</Row>
        <Row label={t('ping')}>{milliseconds(found?.pingMs, l)}</Row>
        <Row label={t('traffic')}>
          {bytes(found?.bytesIn, l)} / {bytes(found?.bytesOut, l)}
        </Row>
      </dl>
      <div class="actions">
        <button type="button" class="small" aria-pressed={following} onClick={() => follow(!following)}>
          {t(following ? 'unfollow' : 'follow')}
        </button>
        <a class="button small" href={href('characters', now.character)}>
          {t('sheet')}
        </a>
      </div>
      <PlayerActions player={now} />
    </>
  );
}

function MonsterDetails({ monster, changed }: DetailsProps & { monster: Beast }) {
  const t = useWords();
  return (
    <>
      <dl>
        <Row label={t('kind')}>
          {monster.type}
          {monster.named && <span class="badge">{t('namedMonster')}</span>}
          {monster.summoned && <span class="badge">{t('summonedMonster')}</span>}
        </Row>
        <Row label={t('level')}>{monster.level}</Row>
        <Row label={t('hp')}>
          {monster.hp} / {monster.maxHp}
        </Row>
        <Row label={t('coordinatesLabel')}>{coordinates(monster)}</Row>
      </dl>
      <MonsterActions monster={monster} changed={changed} />
    </>
  );
}

/** Minutes that somebody has been in the world. */
function useMinutes(player: Player): number {
  const count = () => (player.entered ? (Date.now() - new Date(player.entered).getTime()) / 60_000 : player.minutes);
  const [minutes, setMinutes] = useState(count);
  useEffect(() => {
    const timer = setInterval(() => setMinutes(count()), 10_000);
    return () => clearInterval(timer);
  }, [player.id]);
  return minutes;
}

function StillDetails({ thing, geography }: { thing: Exclude<Choice, { sort: 'player' | 'monster' }>; geography: Geography }) {
  const t = useWords();
  const placeNamed = (key: string | undefined) => geography.places.find((p) => p.key === key);
  const at = thing.sort === 'townsman' ? thing.townsman : thing.sort === 'portal' ? thing.portal : thing.place;
  return (
    <dl>
      {thing.sort === 'place' && <Row label={t('kind')}>{t.named('place', thing.place.kind)}</Row>}
      {thing.sort === 'townsman' && thing.townsman.town && (
        <Row label={t('town')}>{t.both(placeNamed(thing.townsman.town)?.name ?? { ru: thing.townsman.town, en: thing.townsman.town })}</Row>
      )}
      {thing.sort === 'portal' && <Row label={t('kind')}>{t.named('portal', String(thing.portal.class))}</Row>}
      {thing.sort === 'portal' && thing.portal.to && (
        <Row label={t('leadsTo')}>
          {placeNamed(thing.portal.place) && <>{t.both(placeNamed(thing.portal.place)!.name)}, </>}
          {coordinates(thing.portal.to)}
        </Row>
      )}
      <Row label={t('coordinatesLabel')}>{coordinates(at)}</Row>
      <Row label={t('key')}>
        <code>{at.key}</code>
      </Row>
    </dl>
  );
}

function Row({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
