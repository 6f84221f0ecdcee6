import { useState } from 'preact/hooks';
import { PlayerActions } from '../actions/buttons';
import { MissionOf } from '../actions/mission';
import type { Player } from '../answers';
import { bytes, milliseconds, placeLine, span, wholeLevel } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { RowActions } from '../parts/rowactions';
import { Search } from '../parts/search';
import { Table, type Column } from '../parts/table';
import { href } from '../router';

const period = 3000;

/** A level with how often its ladder was begun anew: "12 (+1)". */
export function level(l: { title: number; degree: number; titleRebirths?: number; degreeRebirths?: number }): string {
  const one = (n: number, again = 0) => (again ? `${n} (+${again})` : String(n));
  return `${one(l.title, l.titleRebirths)} / ${one(l.degree, l.degreeRebirths)}`;
}

/** Whether a player has a text in what is known of it. */
export function fits(p: Player, search: string, t: Speech): boolean {
  const wanted = search.trim().toLowerCase();
  return [p.name, p.account, p.address ?? '', t.both(p.place), p.clan].some((v) => v.toLowerCase().includes(wanted));
}

export function OnlinePage() {
  const t = useWords();
  const loading = useLoaded<Player[]>('/api/players', period);
  const [search, setSearch] = useState('');
  const l = t.language;
  const columns: Column<Player>[] = [
    {
      key: 'name',
      title: t('character'),
      by: (p) => p.name.toLowerCase(),
      cell: (p) => (
        <>
          <a href={href('characters', p.character)}>{p.name}</a>
          {p.role !== 'player' && <span class="badge">{t.named('role', p.role)}</span>}
        </>
      ),
    },
    { key: 'account', title: t('account'), by: (p) => p.account.toLowerCase(), cell: (p) => <a href={href('accounts', '', { search: p.account })}>{p.account}</a> },
    // Helpers are told no addresses.
    ...(loading.value?.some((p) => p.address) ? [{ key: 'address', title: t('address'), by: (p: Player) => p.address ?? '', cell: (p: Player) => p.address ?? '–', wide: true }] : []),
    { key: 'place', title: t('place'), by: (p) => t.both(p.place), cell: (p) => <a href={href('map', '', { follow: String(p.character) })}>{placeLine(t.both(p.place))}</a> },
    { key: 'level', title: t('level'), by: (p) => wholeLevel(p.level.title, p.level.titleRebirths), cell: (p) => level(p.level), figure: true },
    { key: 'ping', title: t('ping'), by: (p) => p.pingMs ?? -1, cell: (p) => milliseconds(p.pingMs, l), figure: true },
    { key: 'hp', title: t('hp'), by: (p) => p.hp / Math.max(1, p.maxHp), cell: (p) => (p.hp > 0 ? `${p.hp} / ${p.maxHp}` : <span class="badge bad">{t('isDead')}</span>), figure: true },
    { key: 'seconds', title: t('inside'), by: (p) => p.seconds, cell: (p) => span(p.seconds, l), figure: true },
    { key: 'traffic', title: t('trafficPlot'), by: (p) => (p.bytesIn ?? 0) + (p.bytesOut ?? 0), cell: (p) => bytes((p.bytesIn ?? 0) + (p.bytesOut ?? 0), l), figure: true, wide: true },
    {
      key: 'actions',
      title: t('actions'),
      cell: (p) => (
        <RowActions name={p.name}>
          <PlayerActions player={p} done={loading.again} />
          <MissionOf character={p.character} done={loading.again} />
        </RowActions>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('online')}</h1>
        <Search label={t('searchPlayers')} value={search} change={setSearch} />
      </div>
      <Loaded from={loading}>
        {(all) => (
          <Table
            label={t('online')}
            columns={columns}
            rows={all.filter((p) => fits(p, search, t))}
            id={(p) => p.id}
            first={{ key: 'name', down: false }}
            empty={t('nobody')}
            search={all.length > 0 ? search : ''}
            clear={() => setSearch('')}
          />
        )}
      </Loaded>
    </>
  );
}
