import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Geography, PublicLeader, PublicOnline, PublicStatus, PublicTop } from '../answers';
import { clock, number, span } from '../format';
import { useWords, type Speech, type Word } from '../i18n';
import { Preferences } from '../parts/preferences';
import { Search } from '../parts/search';
import { useAsked, type Asked } from './asked';
import { PublicMap } from './map';
import { period } from './walkers';

const usualPort = 25860;
const atOnce = 30; // names

/** The page for players. */
export function PublicPage() {
  const t = useWords();
  const status = useAsked<PublicStatus>('/api/status', 5000);
  const online = useAsked<PublicOnline>('/api/online', period);
  const geography = useAsked<Geography>('/api/map');
  const top = useAsked<PublicTop>(status.value?.shows.top ? '/api/top' : null, 60_000);
  const name = status.value?.name || 'Sphere';
  useEffect(() => {
    document.documentElement.lang = t.language;
    document.title = status.value ? `${name} · ${t.named('state', status.lost ? 'lost' : status.value.state)}` : name;
  }, [t, name, status]);

  return (
    <div class="public">
      <header class="bar">
        <h1 class="server">{name}</h1>
        <State status={status} />
        <span class="space" />
        <Preferences />
      </header>
      <main>
        {status.lost && (
          <p class="trouble" role="status">
            {status.value ? t('public.noAnswer', { at: clock(new Date(status.at).toISOString(), t.language) }) : t('public.unreachable')}
          </p>
        )}
        {!status.value && !status.lost && <p class="waiting">{t('public.loading')}</p>}
        {status.value && (
          <div class="columns">
            <Server status={status.value} />
            <Connect status={status.value} />
            {online.value && <Inside online={online.value} shows={status.value.shows.names} geography={geography.value} />}
          </div>
        )}
        {geography.value && <PublicMap geography={geography.value} online={online.value} players={status.value?.shows.players ?? false} />}
        {top.value && <Best top={top.value} />}
        {status.value && <p class="foot">{t('public.foot')}</p>}
      </main>
    </div>
  );
}

/** Whether one can play, and how many do. */
function State({ status: { value, lost } }: { status: Asked<PublicStatus> }) {
  const t = useWords();
  if (!value) return null;
  const state = lost ? 'lost' : value.state;
  return (
    <span class={`pulse ${state === 'open' ? 'live' : state === 'starting' ? 'connecting' : 'lost'}`}>
      <span class="dot" aria-hidden="true" />
      {t.named('state', state)}
      {!lost && ` · ${t.count('inWorld', value.online)}`}
    </span>
  );
}

/** A part of the page under a title. */
function Part({ title, kind = '', children }: { title: string; kind?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={`card ${kind}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Server({ status: s }: { status: PublicStatus }) {
  const t = useWords();
  const l = t.language;
  const times = (n: number) => `×${number(n, l, 2)}`;
  const figures: [Word, string][] = [
    ['public.players', number(s.online, l)],
    ['public.most', number(s.most, l)],
    ['public.slots', number(s.slots, l)],
    ['public.since', span((Date.now() - new Date(s.started).getTime()) / 1000, l)],
    ['public.experience', times(s.rates.experience)],
  ];
  for (const kind of ['drops', 'money', 'respawn'] as const) {
    if (s.rates[kind] !== 1) figures.push([`public.${kind}`, times(s.rates[kind])]);
  }
  if (s.version) figures.push(['public.version', s.version]);
  return (
    <Part title={t('public.server')}>
      <dl>
        {figures.map(([word, value]) => (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

/** What to do to play here. */
function Connect({ status: s }: { status: PublicStatus }) {
  const t = useWords();
  const address = s.connect || location.hostname;
  return (
    <Part title={t('public.connect')} kind="connect">
      <p class="address">
        <span>{t('public.address')}</span> <code>{address}</code> <Copy text={address} />
      </p>
      <ol>
        <li>{t('public.step.client')}</li>
        <li>
          {t('public.step.point', { file: 'params/servers.cfg', program: 'sphere' })}
          <code class="command">sphere client servers-cfg params/servers.cfg {address}</code>
          {s.port !== usualPort && t('public.step.port', { port: s.port })}
        </li>
        <li>{t(s.newLogins ? 'public.step.start' : 'public.step.startKnown')}</li>
      </ol>
      <p class="hint">{t('public.step.secret')}</p>
    </Part>
  );
}

/** A button that copies a text; where the browser does not let it, there is none. */
function Copy({ text }: { text: string }) {
  const t = useWords();
  const [done, setDone] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDone(false), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  if (!navigator.clipboard) return null;
  return (
    <button type="button" class="small" onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true), () => {})}>
      <span aria-live="polite">{t(done ? 'public.copied' : 'public.copy')}</span>
    </button>
  );
}

/** What an area is called. */
function areaName(key: string, geography: Geography | undefined, t: Speech): string {
  const area = geography?.areas.find((a) => a.key === key);
  return area ? capital(t.both(area.name)) : t('public.elsewhere');
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Who is in the world, as far as that may be known. */
function Inside({ online, shows, geography }: { online: PublicOnline; shows: boolean; geography: Geography | undefined }) {
  const t = useWords();
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(atOnce);
  const wanted = search.trim().toLowerCase();
  const found = online.players.filter((p) => p.name && [p.name, p.clan ?? ''].some((v) => v.toLowerCase().includes(wanted)));
  return (
    <Part title={t('public.online')} kind="inside-world">
      {online.online === 0 ? (
        <p class="quiet-text">{t('nobody')}</p>
      ) : (
        <ul class="crowds">
          {online.areas.map((a) => (
            <li key={a.area}>
              {areaName(a.area, geography, t)} <strong>{number(a.online, t.language)}</strong>
            </li>
          ))}
        </ul>
      )}
      {!shows && online.online > 0 && <p class="hint">{t('public.hidden')}</p>}
      {shows && online.players.length > 0 && (
        <>
          {online.players.length > 10 && <Search label={t('public.search')} value={search} change={setSearch} />}
          <div class="names" role="group" aria-label={t('public.name')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('public.name')}</th>
                  <th scope="col" class="figure">{t('level')}</th>
                  <th scope="col">{t('clan')}</th>
                </tr>
              </thead>
              <tbody>
                {found.slice(0, most).map((p) => (
                  <tr key={p.name}>
                    <td>{p.name}</td>
                    <td class="figure">{`${p.title} / ${p.degree}`}</td>
                    <td>{p.clan}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.length === 0 && <p class="quiet-text">{t('nothingFor', { search: search.trim() })}</p>}
            {found.length > most && (
              <button type="button" class="small" onClick={() => setMost(most + 200)}>
                {t.count('moreRows', found.length - most)}
              </button>
            )}
          </div>
        </>
      )}
    </Part>
  );
}

/** The lists of the best. */
function Best({ top }: { top: PublicTop }) {
  const t = useWords();
  const lists = ['title', 'degree', 'karma'] as const;
  return (
    <section class="best" aria-label={t('public.top')}>
      {lists.map((by) => (
        <Part key={by} title={t(`public.top.${by}`)}>
          {top[by].length === 0 ? <p class="quiet-text">{t('public.top.none')}</p> : <Ranking by={by} leaders={top[by]} />}
        </Part>
      ))}
    </section>
  );
}

function Ranking({ by, leaders }: { by: 'title' | 'degree' | 'karma'; leaders: PublicLeader[] }) {
  const t = useWords();
  const heading = { title: t('public.title'), degree: t('public.degree'), karma: t('karma') }[by];
  return (
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col" class="figure">
            №
          </th>
          <th scope="col">{t('public.name')}</th>
          <th scope="col" class="figure">
            {heading}
          </th>
        </tr>
      </thead>
      <tbody>
        {leaders.map((one, i) => (
          <tr key={one.name}>
            <td class="figure">{i + 1}</td>
            <td>
              {one.name}
              {one.clan && <small>{one.clan}</small>}
            </td>
            <td class="figure">{number(one[by], t.language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
