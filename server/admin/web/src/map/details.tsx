import { useEffect, useState } from 'preact/hooks';
import { PlayerActions } from '../actions/buttons';
import type { Geography, Player, Point, SpawnerOff, Ware } from '../answers';
import { bytes, coordinates, milliseconds, number, span } from '../format';
import { useWords, type Speech } from '../i18n';
import { players } from '../live';
import { Icon } from '../parts/icon';
import { useLoaded } from '../parts/loaded';
import { withQuery } from '../api';
import { href } from '../router';
import { useStore } from '../store';
import { level } from '../pages/online';
import type { Choice } from './layer';
import type { Beast } from './monsters';
import type { Den } from './dens';
import { DenActions, MonsterActions } from './spawners';

interface DetailsProps {
  thing: Choice;
  geography: Geography;
  following: boolean;
  follow: (yes: boolean) => void;
  /** Where operators let no monsters come from. */
  off: readonly SpawnerOff[];
  /** Something was done to monsters, or to where they come from. */
  changed: () => void;
  /** Shows another place. */
  go: (at: Point) => void;
  close: () => void;
}

/** What is known of the thing that was chosen, and what can be done with it. */
export function Details(props: DetailsProps) {
  const { thing, geography, close } = props;
  const t = useWords();
  const title = titleOf(thing, t);
  return (
    <section class="details" aria-label={title || t('sort.portal')}>
      <header>
        <h2>{title || t('sort.portal')}</h2>
        <button type="button" class="quiet" aria-label={t('close')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {thing.sort === 'player' ? (
        <PlayerDetails {...props} player={thing.player} />
      ) : thing.sort === 'monster' ? (
        <MonsterDetails {...props} monster={thing.monster} />
      ) : thing.sort === 'spawner' ? (
        <DenDetails {...props} den={thing.den} />
      ) : (
        <StillDetails {...props} thing={thing} geography={geography} />
      )}
    </section>
  );
}

function titleOf(thing: Choice, t: Speech): string {
  const { both } = t;
  switch (thing.sort) {
    case 'player':
      return thing.player.name;
    case 'monster':
      return both(thing.monster.name);
    case 'spawner':
      return t('denTip', { level: thing.den.level });
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
  const since = useSeconds(player);
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
        <Row label={t('inside')}>{span(since, l)}</Row>
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

function MonsterDetails({ monster, off, changed }: DetailsProps & { monster: Beast }) {
  const t = useWords();
  return (
    <>
      <dl>
        <Row label={t('kind')}>
          {t.both(monster.name)} ({monster.type})
          {monster.named && <span class="badge">{t('namedMonster')}</span>}
          {monster.summoned && <span class="badge">{t('summonedMonster')}</span>}
        </Row>
        <Row label={t('monsterLevel')}>{monster.level}</Row>
        <Row label={t('hp')}>
          {monster.hp} / {monster.maxHp}
        </Row>
        <Row label={t('coordinatesLabel')}>{coordinates(monster)}</Row>
      </dl>
      <MonsterActions monster={monster} off={off} changed={changed} />
    </>
  );
}

function DenDetails({ den, changed }: DetailsProps & { den: Den }) {
  const t = useWords();
  return (
    <>
      <dl>
        <Row label={t('monsterLevel')}>{den.level}</Row>
        <Row label={t('denState')}>{t(den.off ? 'denOff' : 'denOn')}</Row>
        <Row label={t('coordinatesLabel')}>{coordinates(den)}</Row>
        <Row label={t('key')}>
          <code>{den.key}</code>
        </Row>
      </dl>
      <DenActions den={den} changed={changed} />
      <h3>{t('denKinds')}</h3>
      <ul class="kinds">
        {den.kinds.map((kind) => (
          <li key={kind.ru}>{t.both(kind)}</li>
        ))}
      </ul>
    </>
  );
}

const firstWares = 12;

/** What a townsman sells today; nothing where he sells nothing. */
function Wares({ townsman }: { townsman: string }) {
  const t = useWords();
  const [whole, setWhole] = useState(false);
  const all = useLoaded<Ware[]>(withQuery('/api/wares', { townsman })).value ?? [];
  if (all.length === 0) return null;
  return (
    <>
      <h3>{t('sellsToday')}</h3>
      <table class="wares">
        <thead>
          <tr>
            <th scope="col">{t('thing')}</th>
            <th scope="col">{t('stock')}</th>
            <th scope="col">{t('price')}</th>
          </tr>
        </thead>
        <tbody>
          {(whole ? all : all.slice(0, firstWares)).map((w, i) => (
            <tr key={i}>
              <td>{t.both(w.name)}</td>
              <td>{number(w.count, t.language)}</td>
              <td>{number(w.price, t.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!whole && all.length > firstWares && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          {t('allWares', { n: all.length })}
        </button>
      )}
    </>
  );
}

/** Seconds that somebody has been in the world. */
function useSeconds(player: Player): number {
  const count = () => (player.entered ? (Date.now() - new Date(player.entered).getTime()) / 1000 : player.seconds);
  const [seconds, setSeconds] = useState(count);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(count()), 10_000);
    return () => clearInterval(timer);
  }, [player.id]);
  return seconds;
}

function StillDetails({ thing, geography, go }: DetailsProps & { thing: Exclude<Choice, { sort: 'player' | 'monster' | 'spawner' }> }) {
  const t = useWords();
  const placeNamed = (key: string | undefined) => geography.places.find((p) => p.key === key);
  const at = thing.sort === 'townsman' ? thing.townsman : thing.sort === 'portal' ? thing.portal : thing.place;
  const to = thing.sort === 'portal' ? thing.portal.to : undefined;
  return (
    <>
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
      {to && (
        <div class="actions">
          <button type="button" class="small" onClick={() => go(to)}>
            {t('showWhereTo')}
          </button>
        </div>
      )}
      {thing.sort === 'townsman' && <Wares townsman={thing.townsman.key} />}
    </>
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
