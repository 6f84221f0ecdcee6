import { CharacterActions, characterTarget } from '../actions/buttons';
import { may } from '../actions/actions';
import { ask } from '../actions/form';
import { MissionOf, MissionView, rankText } from '../actions/mission';
import type { Character, Item, Sheet } from '../answers';
import { coordinates, moment, number, span, unbroken, wholeLevel } from '../format';
import { useWords, type Speech } from '../i18n';
import { players } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { Search } from '../parts/search';
import { useSearched } from '../parts/searched';
import { Table, type Column } from '../parts/table';
import { me } from '../api';
import { RowActions } from '../parts/rowactions';
import { go, href, route } from '../router';
import { useStore } from '../store';
import { level } from './online';

export function CharactersPage() {
  const { id } = useStore(route);
  return id ? <SheetPage key={id} id={id} /> : <CharacterList />;
}

function CharacterList() {
  const t = useWords();
  const { search, setSearch, loading } = useSearched<Character>('/api/characters');
  const columns: Column<Character>[] = [
    {
      key: 'name',
      title: t('character'),
      by: (c) => c.name.toLowerCase(),
      cell: (c) => (
        <>
          <a href={href('characters', c.id)}>{c.name}</a>
          {c.online && <span class="badge good">{t('isOnline')}</span>}
        </>
      ),
    },
    { key: 'account', title: t('account'), by: (c) => c.account.toLowerCase(), cell: (c) => <a href={href('accounts', '', { search: c.account })}>{c.account}</a> },
    { key: 'level', title: t('level'), by: (c) => wholeLevel(c.level.title, c.level.titleRebirths), cell: (c) => level(c.level), figure: true },
    { key: 'money', title: t('money'), by: (c) => c.money, cell: (c) => number(c.money, t.language), figure: true },
    { key: 'place', title: t('place'), by: (c) => t.both(c.place), cell: (c) => t.both(c.place), wide: true },
    { key: 'lastSeen', title: t('lastSeen'), by: (c) => c.lastSeen ?? '', cell: (c) => moment(c.lastSeen, t.language) },
    {
      key: 'actions',
      title: t('actions'),
      cell: (c) => (
        <RowActions name={c.name}>
          <CharacterActions target={characterTarget(c)} done={loading.again} />
          <MissionOf character={c.id} done={loading.again} />
        </RowActions>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('characters')}</h1>
        <Search label={t('searchCharacters')} value={search} change={setSearch} />
      </div>
      <Loaded from={loading}>
        {(all) => (
          <Table label={t('characters')} columns={columns} rows={all} id={(c) => c.id} first={{ key: 'name', down: false }} empty={t('noCharacters')} search={search} clear={() => setSearch('')} />
        )}
      </Loaded>
    </>
  );
}

/** Everything about one character, and what it carries. */
function SheetPage({ id }: { id: string }) {
  const t = useWords();
  const loading = useLoaded<Sheet>(`/api/characters/${encodeURIComponent(id)}`);
  return (
    <>
      <p class="back">
        <a href={href('characters')}>{t('allCharacters')}</a>
      </p>
      <Loaded from={loading}>{(sheet) => <SheetView sheet={sheet} again={loading.again} />}</Loaded>
    </>
  );
}

type Row = [label: string, value: string];

/** The lines of the sheet, in groups. */
function groups(c: Sheet, t: Speech): [title: string, rows: Row[]][] {
  const l = t.language;
  const n = (v: number) => number(v, l);
  const of = (v: number, most: number) => `${n(v)} / ${n(most)}`;
  return [
    [
      t('general'),
      [
        [t('level'), level(c.level)],
        [t('experience'), `${n(c.titleXP)} / ${n(c.degreeXP)}`],
        [t('freePoints'), `${n(c.titlePoints)} / ${n(c.degreePoints)}`],
        [t('money'), n(c.money)],
        [t('karma'), `${n(c.karma)} (${t.named('karma', String(c.karmaType))})`],
        [t('clan'), c.clan || '–'],
        [t('guild'), c.rank ? rankText(c.rank, t) : '–'],
        [t('sex'), t(c.female ? 'female' : 'male')],
      ],
    ],
    [
      t('vitals'),
      [
        [t('hp'), of(c.hp, c.maxHP)],
        [t('mp'), of(c.mp, c.maxMP)],
        [t('satiety'), of(c.satiety, c.maxSatiety)],
        [t('strength'), n(c.strength)],
        [t('agility'), n(c.agility)],
        [t('accuracy'), n(c.accuracy)],
        [t('endurance'), n(c.endurance)],
      ],
    ],
    [
      t('fight'),
      [
        [t('state'), t(c.fight.dead ? 'isDead' : 'isAlive')],
        [t('killsDeaths'), `${n(c.fight.kills)} / ${n(c.fight.deaths)}`],
        ...(c.fight.duel ? [[t('duelWith'), c.fight.duel] as [string, string]] : []),
        [t('attackDefence'), `${n(c.fight.attack)} / ${n(c.fight.defence)}`],
        [t('magicDefence'), `${n(c.fight.magicalAttack)} / ${n(c.fight.magicalDefence)}`],
        [t('effects'), c.fight.effects.map((e) => `${t.both(e.name)} (${unbroken(span(e.seconds, l))})`).join(', ') || '–'],
        [t('resetsUsed'), c.fight.resets.map((r) => t.named('reset', r)).join(', ') || '–'],
      ],
    ],
    [
      t('magic'),
      [
        [t('earth'), n(c.earth)],
        [t('air'), n(c.air)],
        [t('water'), n(c.water)],
        [t('fire'), n(c.fire)],
      ],
    ],
    [
      t('whereWhen'),
      [
        [t('place'), t.both(c.place)],
        [t('coordinatesLabel'), coordinates(c.position)],
        [t('created'), moment(c.created, l)],
        [t('lastSeen'), moment(c.lastSeen, l)],
        [t('played'), span(c.playedSeconds, l)],
      ],
    ],
  ];
}

function SheetView({ sheet: c, again }: { sheet: Sheet; again: () => void }) {
  const t = useWords();
  const inside = [...useStore(players).values()].find((p) => p.character === c.id);
  return (
    <>
      <div class="head">
        <h1>{c.name}</h1>
        {inside && (
          <>
            <span class="badge good">{t('isOnline')}</span>
            <a href={href('map', '', { follow: String(inside.character) })}>{t('showOnMap')}</a>
          </>
        )}
        <a href={href('accounts', '', { search: c.account })}>{t('accountNamed', { login: c.account })}</a>
      </div>
      <CharacterActions target={{ ...characterTarget(c), dead: c.hp <= 0, points: { title: c.titlePoints, degree: c.degreePoints }, ...(inside ? { player: inside.id } : {}) }} done={again} gone={() => go('characters')} />
      <div class="cards">
        {groups(c, t).map(([title, rows]) => (
          <section class="card" key={title}>
            <h2>{title}</h2>
            <dl>
              {rows.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section class="card mission">
          <h2>{t('mission')}</h2>
          <MissionView sheet={c} again={again} />
        </section>
      </div>
      <h2>{t.count('items', c.items.length)}</h2>
      <Inventory label={t('inventory')} items={c.items} of={c} again={again} />
      {c.vault.length > 0 && (
        <>
          <h2 class="next">{t.count('vaultItems', c.vault.length)}</h2>
          <Inventory label={t('vault')} items={c.vault} of={c} />
        </>
      )}
    </>
  );
}

/** Things; without again they are only shown. */
function Inventory({ label, items, of, again }: { label: string; items: Item[]; of: Sheet; again?: () => void }) {
  const t = useWords();
  const who = useStore(me);
  const l = t.language;
  const columns: Column<Item>[] = [
    { key: 'slot', title: t('slot'), by: (i) => (i.container ? 1000 : i.slot), cell: (i) => t.named('slot', i.place) },
    {
      key: 'name',
      title: t('item'),
      by: (i) => t.both(i.name),
      cell: (i) => (
        <>
          {t.both(i.name) || t('unknownItem', { class: i.class, id: i.gameId })}
          {i.bound && <span class="badge">{t('bound')}</span>}
        </>
      ),
    },
    { key: 'count', title: t('pieces'), by: (i) => i.count, cell: (i) => number(i.count, l), figure: true },
    {
      key: 'durability',
      title: t('durability'),
      by: (i) => i.durability,
      cell: (i) => (i.maxDurability > 0 ? `${i.durability} / ${i.maxDurability}` : '–'),
      figure: true,
    },
    { key: 'weight', title: t('weight'), by: (i) => i.weight, cell: (i) => number(i.weight, l), figure: true, wide: true },
    { key: 'ids', title: t('numbers'), cell: (i) => `${i.class} · ${i.gameId}${i.suffix >= 0 ? ` · ${i.suffix}` : ''}`, figure: true, wide: true },
  ];
  if (again && may(who?.role, 'administrator')) {
    columns.push({
      key: 'actions',
      title: t('actions'),
      cell: (i) => (
        <button
          type="button"
          class="small risky"
          aria-label={t('takeThing', { item: t.both(i.name) })}
          onClick={() => ask('take', { ...characterTarget(of), name: t.both(i.name) || String(i.gameId), item: i.id }, again)}
        >
          {t('take')}
        </button>
      ),
    });
  }
  return <Table label={label} columns={columns} rows={items} id={(i) => i.id} first={{ key: 'slot', down: false }} empty={t('carriesNothing')} />;
}
