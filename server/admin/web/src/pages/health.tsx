import { useMemo, useState } from 'preact/hooks';
import type { Target } from '../actions/actions';
import { ActionButtons } from '../actions/buttons';
import type { History, HistoryPoint, Status } from '../answers';
import { bytes, clock, milliseconds, moment, number, span, unbroken } from '../format';
import { useWords, type Speech } from '../i18n';
import { heard, link, status } from '../live';
import { Loaded, useLoaded } from '../parts/loaded';
import { Plot } from '../parts/plot';
import { firstBackup, isLate, newest, tickBudget, toneOf, type Tone, troubles, writeBudget } from '../parts/verdict';
import { useStore } from '../store';
import { means, withGaps } from './gaps';
import { Orders } from './orders';

type Kind = 'number' | 'milliseconds' | 'bytes' | 'rate';

interface Measured {
  title: 'playersInside' | 'pingPlot' | 'tickPlot' | 'trafficPlot' | 'storePlot' | 'memoryPlot' | 'fightPlot' | 'createdPlot' | 'moneyPlot';
  /** Over how many seconds the lines are means: what happens now and then would be teeth of a saw. */
  mean?: number;
  kind: Kind;
  limit?: number;
  lines: { label: 'p50' | 'p99' | 'bytesIn' | 'bytesOut' | 'playersInside' | 'memory' | 'kills' | 'deaths' | 'experienceLine' | 'money'; colour: string; of: (p: HistoryPoint, step: number) => number | null }[];
}

const minute = 60;
const meanSpan = 5 * minute;

/** The plots, in their order. */
const measured: Measured[] = [
  { title: 'playersInside', kind: 'number', lines: [{ label: 'playersInside', colour: '--series-1', of: (p) => p.online }] },
  {
    title: 'pingPlot',
    kind: 'milliseconds',
    lines: [
      { label: 'p50', colour: '--series-1', of: (p) => p.pingP50 },
      { label: 'p99', colour: '--series-2', of: (p) => p.pingP99 },
    ],
  },
  { title: 'tickPlot', kind: 'milliseconds', limit: tickBudget, lines: [{ label: 'p99', colour: '--series-2', of: (p) => p.tickP99 }] },
  {
    title: 'trafficPlot',
    kind: 'rate',
    lines: [
      { label: 'bytesIn', colour: '--series-1', of: (p, step) => p.bytesIn / step },
      { label: 'bytesOut', colour: '--series-2', of: (p, step) => p.bytesOut / step },
    ],
  },
  { title: 'storePlot', kind: 'milliseconds', limit: writeBudget, lines: [{ label: 'p99', colour: '--series-2', of: (p) => p.storeP99 }] },
  {
    title: 'fightPlot',
    kind: 'number',
    mean: meanSpan,
    lines: [
      { label: 'kills', colour: '--series-1', of: (p, step) => (p.kills * minute) / step },
      { label: 'deaths', colour: '--series-2', of: (p, step) => (p.deaths * minute) / step },
    ],
  },
  {
    title: 'createdPlot',
    kind: 'number',
    mean: meanSpan,
    lines: [{ label: 'experienceLine', colour: '--series-1', of: (p, step) => (p.experience * minute) / step }],
  },
  {
    title: 'moneyPlot',
    kind: 'number',
    mean: meanSpan,
    lines: [{ label: 'money', colour: '--series-1', of: (p, step) => (p.money * minute) / step }],
  },
  { title: 'memoryPlot', kind: 'bytes', lines: [{ label: 'memory', colour: '--series-1', of: (p) => p.memory }] },
];

function writer(kind: Kind, t: Speech, fine = false): (n: number | null) => string {
  return (n) => {
    if (n === null) return '–';
    switch (kind) {
      case 'milliseconds':
        return milliseconds(n, t.language);
      case 'bytes':
        return bytes(n, t.language);
      case 'rate':
        return t('perSecond', { amount: bytes(n, t.language) });
      default:
        return number(n, t.language, fine ? 1 : 0);
    }
  };
}

export function HealthPage() {
  const t = useWords();
  const [minutes, setMinutes] = useState('180');
  const asked = useLoaded<Status>('/api/status', 10_000);
  const told = useStore(status);
  const lost = useStore(link) === 'lost';
  const past = useLoaded<History>(`/api/history?minutes=${minutes}`, 10_000);
  const { now, stale } = newest(told, asked.value, lost, Boolean(asked.problem));
  const answered = useMemo(() => (asked.value ? Date.now() : 0), [asked.value]);
  const at = now === asked.value ? answered : heard.value;
  const server = async () => ({ name: now?.name ?? '' });
  return (
    <>
      <div class="head">
        <h1>{t('health')}</h1>
        <select aria-label={t('timeShown')} value={minutes} onChange={(e) => setMinutes(e.currentTarget.value)}>
          {['30', '60', '180', '360', '1440'].map((m) => (
            <option key={m} value={m}>
              {t('last', { span: span(Number(m) * 60, t.language) })}
            </option>
          ))}
        </select>
        {now && !now.stops && !stale && <ActionButtons names={['stopServer']} target={server} done={asked.again} />}
      </div>
      {now?.stops && !stale && <PlannedStop stops={now.stops} target={server} done={asked.again} />}
      {now && !stale && <Verdict now={now} />}
      {now && stale && at > 0 && (
        <div class="verdict bad" role="status">
          {t('mapAsOf', { at: clock(new Date(at).toISOString(), t.language) })}
        </div>
      )}
      {now ? <Figures now={now} /> : <Loaded from={asked}>{(s) => <Figures now={s} />}</Loaded>}
      <Orders />
      <Loaded from={past}>
        {(h) => (
          <div class="plots">
            {measured.map((m) => (
              <Measure key={m.title} measured={m} history={h} seconds={Number(minutes) * 60} />
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}

function Measure({ measured: m, history, seconds }: { measured: Measured; history: History; seconds: number }) {
  const t = useWords();
  const write = writer(m.kind, t, Boolean(m.mean));
  const points = withGaps(history.points);
  const times = points.map(([time]) => time);
  const lines = m.lines.map((line) => {
    const values = points.map(([, p]) => p && line.of(p, history.step));
    return { label: t(line.label), colour: line.colour, values: m.mean ? means(times, values, m.mean) : values };
  });
  return <Plot title={t(m.title)} times={times} lines={lines} seconds={seconds} write={write} binary={m.kind === 'bytes' || m.kind === 'rate'} whole={m.kind === 'number' && !m.mean} limit={m.limit} lonePeaks={m.kind === 'milliseconds'} />;
}

/** The stop that is planned, and a way to call it off. */
function PlannedStop({ stops, target, done }: { stops: NonNullable<Status['stops']>; target: () => Promise<Target>; done: () => void }) {
  const t = useWords();
  return (
    <div class="warning bar-note">
      {t('serverStops', { at: moment(stops.at, t.language) })} {stops.reason}
      <ActionButtons names={['keepServer']} target={target} done={done} />
    </div>
  );
}

/** Whether all is well, in a sentence; or else what is not. */
function Verdict({ now }: { now: Status }) {
  const t = useWords();
  const all = troubles(now, t);
  return (
    <div class={`verdict ${toneOf(all)}`} role="status">
      {all.length === 0 ? <p>{t('allWell')}</p> : all.map((one) => <p key={one.text}>{one.text}</p>)}
    </div>
  );
}

/** What counts now. */
function Figures({ now }: { now: Status }) {
  const t = useWords();
  const l = t.language;
  const backup = now.lastBackup;
  const most = (ms: number | null) => (ms === null ? '' : `${t('p99')} ${milliseconds(ms, l)}`);
  const figures: [title: string, value: string, more: string, tone?: Tone][] = [
    [t('playersInside'), number(now.online, l), t('connectionsMore', { accounts: now.accountsOnline, connections: now.connections })],
    [t('uptime'), span(now.uptimeSeconds, l), t('since', { at: moment(now.started, l) })],
    [t('ping'), milliseconds(now.ping.p50, l), most(now.ping.p99)],
    [t('tick'), milliseconds(now.tick.p50, l), `${most(now.tick.p99)}, ${t('longest', { time: milliseconds(now.tick.max, l) })}`, isLate(now) ? 'warn' : 'good'],
    [t('store'), milliseconds(now.store.p50, l), `${most(now.store.p99)}, ${t.count('queued', now.store.queue)}`],
    [t('saving'), t(now.saving ? 'yes' : 'no'), t.count('saveFailures', now.saveFailures), now.saving ? 'good' : 'bad'],
    [t('trafficPlot'), bytes(now.bytesOut, l), t('receivedMore', { amount: bytes(now.bytesIn, l) })],
    [t('memory'), bytes(now.memory, l), t.count('goroutines', now.goroutines)],
    [t('lastBackup'), backup?.at ? moment(backup.at, l) : t('none'), backup?.failure ?? backup?.file ?? '', backup?.failure ? 'bad' : (backup ? backup.late : now.uptimeSeconds > firstBackup) ? 'warn' : 'good'],
  ];
  return (
    <>
      <dl class="figures">
        {figures.map(([title, value, more, tone]) => (
          <div key={title} class={tone}>
            <dt>{title}</dt>
            <dd>
              <strong>{value}</strong>
              <small>{unbroken(more)}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {t('listeners')}{' '}
        {Object.entries(now.listeners)
          .map(([name, at]) => `${t.named('listener', name)} ${at}`)
          .join(' · ')}
      </p>
    </>
  );
}
