import { ActionButtons } from '../actions/buttons';
import type { Maintenance, Motd } from '../answers';
import { moment } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';

const period = 10_000;

/** Who has ordered something and when, or that the configuration says so. */
const source = (o: { by?: string; at?: string }, t: Speech) => (o.by && o.at ? t('orderBy', { by: t.author(o.by), at: moment(o.at, t.language) }) : t('orderOfFile'));

/** By whom maintenance is on: an operator, the configuration, or both. */
export const maintenanceSource = (m: Maintenance, t: Speech) => source(m, t) + (m.by && m.file ? `; ${t('orderOfFile')}` : '');

/** Who gets in, in one sentence. */
export function admittedText(m: Maintenance, t: Speech): string {
  if (!m.on) return t('maintenanceNone');
  return m.admit.length ? t('maintenanceFor', { logins: m.admit.join(', ') }) : t('maintenanceOperators');
}

/** The message of the day and maintenance, and ways to change them. */
export function Orders() {
  const t = useWords();
  const motd = useLoaded<Motd>('/api/motd', period);
  const maintenance = useLoaded<Maintenance>('/api/maintenance', period);
  const target = async () => ({ name: '' });
  return (
    <section class="settings">
      <h2>{t('serverOrders')}</h2>
      <Loaded from={motd}>
        {(m) => (
          <div class="order">
            <p>
              <strong>{t('motd')}:</strong> {m.text ? `${m.text} (${source(m, t)})` : t('motdNone')}
            </p>
            <ActionButtons names={m.by ? ['setMotd', 'endMotd'] : ['setMotd']} target={target} done={motd.again} />
          </div>
        )}
      </Loaded>
      <Loaded from={maintenance}>
        {(m) => (
          <div class="order">
            <p>
              <strong>{t('maintenance')}:</strong> {admittedText(m, t)}
              {m.on && ` (${maintenanceSource(m, t)})`}
            </p>
            <ActionButtons names={m.by ? ['beginMaintenance', 'endMaintenance'] : ['beginMaintenance']} target={target} done={maintenance.again} />
          </div>
        )}
      </Loaded>
    </section>
  );
}
