import { ActionButtons } from '../actions/buttons';
import type { Rate, RateState } from '../answers';
import { moment, number } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';

const period = 10_000;

/** A factor as people read it. */
const times = (factor: number, t: Speech) => `×${number(factor, t.language, 2)}`;

/** When a rate that was set counts, and who has set it. */
export function setText(r: Rate, t: Speech): string {
  const until = r.until ? t('rateUntil', { at: moment(r.until, t.language) }) : t('rateOpen');
  return t('rateSetBy', { factor: times(r.factor, t), from: moment(r.from, t.language), until, by: t.author(r.by) });
}

/** What counts now, and until when. */
export function nowText(r: RateState, t: Speech): string {
  const now = r.factor === 1 ? t('rateUsual') : times(r.factor, t);
  return r.changes ? t('rateThen', { now, at: moment(r.changes, t.language), then: times(r.then ?? 1, t) }) : now;
}

const lines = (all: readonly string[]) => (all.length ? all.map((line) => <div key={line}>{line}</div>) : '–');

/** How much more there is of experience, drops and money, and of respawn, and ways to change that. */
export function Rates() {
  const t = useWords();
  const loading = useLoaded<RateState[]>('/api/rates', period);
  const columns: Column<RateState>[] = [
    { key: 'rate', title: t('rateOf'), cell: (r) => <strong>{t.both(r.name)}</strong> },
    { key: 'now', title: t('rateNow'), cell: (r) => nowText(r, t) },
    { key: 'set', title: t('rateWasSet'), cell: (r) => lines(r.set.map((s) => setText(s, t))) },
    { key: 'file', title: 'balance.toml', cell: (r) => lines(r.file.map((f) => t.both(f))) },
    {
      key: 'actions',
      title: t('actions'),
      cell: (r) => <ActionButtons names={r.set.length ? ['setRate', 'endRate'] : ['setRate']} target={async () => ({ name: t.both(r.name), rate: r.rate })} done={loading.again} />,
    },
  ];
  return (
    <section class="settings">
      <h2>{t('rates')}</h2>
      <Loaded from={loading}>{(all) => <Table label={t('rates')} columns={columns} rows={all} id={(r) => r.rate} />}</Loaded>
    </section>
  );
}
