import { useState } from 'preact/hooks';
import type { Instance } from '../answers';
import { coordinates, moment, number, span } from '../format';
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
    { key: 'monsters', title: t('instanceMonsters'), by: (i) => i.monsters, cell: (i) => number(i.monsters, l), figure: true },
    { key: 'things', title: t('instanceThings'), by: (i) => i.things, cell: (i) => number(i.things, l), figure: true },
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
