import { useState } from 'preact/hooks';
import type { Instance } from '../answers';
import { coordinates, moment, span } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { Search } from '../parts/search';
import { Table, type Column } from '../parts/table';
import { href } from '../router';

const period = 3000;

/** Whether an instance has a text in who is in it, whose it is, what it is or its number. */
export function has(i: Instance, search: string, t: Speech): boolean {
  const wanted = search.trim().toLowerCase();
  return [...i.players, i.owner, t.named('dungeon', i.dungeon), String(i.number)].some((v) => v.toLowerCase().includes(wanted));
}

/** How an instance is doing, and how many seconds it has stood empty. */
export function stateOf(i: Instance, now: number): { word: 'instancePlayed' | 'instanceEmpty' | 'instanceEnding'; empty: number } {
  const empty = i.emptied ? Math.max(0, (now - Date.parse(i.emptied)) / 1000) : 0;
  return { word: i.ending ? 'instanceEnding' : i.emptied ? 'instanceEmpty' : 'instancePlayed', empty };
}

const person = (name: string) => (
  <a key={name} href={href('characters', '', { search: name })}>
    {name}
  </a>
);

/** A name with how many there are of it, unless it is one. */
const times = (count: number, name: string) => (count === 1 ? name : `${count} × ${name}`);

/** The monsters of an instance, each kind on a line; a * is behind those that have names of their own. */
export function monstersIn(i: Instance, t: Speech): string[] {
  return i.monsters.map((m) => times(m.count, t('monsterOf', { name: m.name[t.language], level: m.level }) + (m.named ? ' *' : '')));
}

/** The chests and things of an instance, each kind on a line. */
export function thingsIn(i: Instance, t: Speech): string[] {
  const chests = i.chests > 0 ? [t('chestsOf', { count: i.chests, opened: i.opened })] : [];
  return [...chests, ...i.things.map((m) => times(m.count, m.name[t.language]))];
}

const lines = (all: string[]) => (all.length ? all.map((line, i) => <div key={i}>{line}</div>) : '–');
const sum = (all: { count: number }[]) => all.reduce((n, m) => n + m.count, 0);

/** The dungeons that belong to one player or a few, as they are now. */
export function InstancesPage() {
  const t = useWords();
  const loading = useLoaded<Instance[]>('/api/instances', period);
  const [search, setSearch] = useState('');
  const l = t.language;
  const columns: Column<Instance>[] = [
    {
      key: 'dungeon',
      title: t('instance'),
      by: (i) => i.number,
      cell: (i) => (
        <span>
          № {i.number} · {t.named('dungeon', i.dungeon)}
        </span>
      ),
    },
    { key: 'players', title: t('whoInside'), by: (i) => -i.players.length, cell: (i) => (i.players.length ? <span class="people">{i.players.map(person)}</span> : '–') },
    { key: 'owner', title: t('instanceOwner'), by: (i) => i.owner.toLowerCase(), cell: (i) => (i.owner ? person(i.owner) : '–') },
    { key: 'began', title: t('instanceBegan'), by: (i) => i.began, cell: (i) => moment(i.began, l), figure: true },
    {
      key: 'state',
      title: t('instanceState'),
      by: (i) => stateOf(i, 0).word,
      cell: (i) => {
        const { word, empty } = stateOf(i, Date.now());
        return <span class={word === 'instancePlayed' ? 'badge good' : 'badge'}>{t(word, { span: span(empty, l) })}</span>;
      },
    },
    { key: 'monsters', title: t('instanceMonsters'), by: (i) => sum(i.monsters), cell: (i) => lines(monstersIn(i, t)) },
    { key: 'things', title: t('instanceThings'), by: (i) => i.chests + sum(i.things), cell: (i) => lines(thingsIn(i, t)) },
    { key: 'origin', title: t('instanceOrigin'), cell: (i) => coordinates(i.origin), figure: true, wide: true },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('instances')}</h1>
        <Search label={t('searchInstances')} value={search} change={setSearch} />
      </div>
      <Loaded from={loading}>
        {(all) => (
          <Table
            label={t('instances')}
            columns={columns}
            rows={all.filter((i) => has(i, search, t))}
            id={(i) => i.number}
            first={{ key: 'dungeon', down: false }}
            empty={t('noInstances')}
            search={all.length > 0 ? search : ''}
            clear={() => setSearch('')}
          />
        )}
      </Loaded>
    </>
  );
}
