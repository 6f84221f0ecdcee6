import type { Sheet } from '../answers';
import { coordinates, moment, span } from '../format';
import { useWords, type Speech } from '../i18n';
import { Loaded, useLoaded } from '../parts/loaded';
import { href } from '../router';
import type { ActionName } from './actions';
import { ActionButtons, characterTarget } from './buttons';

/** A rank in a guild, in words. */
export function rankText(r: NonNullable<Sheet['rank']>, t: Speech): string {
  return t('rankIn', { guild: t.both(r.guild), rank: r.rank });
}

/** The lines of a mission: what is to be done for what, where, and how much time is left at a moment in milliseconds. */
export function missionLines(c: Sheet, now: number, t: Speech): [label: string, value: string][] {
  const m = c.mission;
  if (!m) return [];
  const left = (Date.parse(m.ends) - now) / 1000;
  const state = left <= 0 ? t('missionOver') : t(c.instance?.dungeon === 'mission' ? 'missionInside' : 'missionOpen');
  return [
    [t('missionState'), state],
    [t('missionKind'), t.named('mission', m.kind)],
    [t('missionTarget'), m.monster ? t('missionMonster', { monster: t.both(m.monster), level: m.level }) : '–'],
    [t('missionGoal'), m.rank ? rankText(m.rank, t) : t.named('goal', m.goal)],
    [t('missionPlace'), `${t.both(m.place)} (${coordinates(m.at)})`],
    [t('missionLeft'), left > 0 ? t('missionEnds', { span: span(left, t.language), at: moment(m.ends, t.language) }) : '–'],
  ];
}

/** What can be done about a character's mission: giving and finishing one needs the world. */
export function missionActions(c: Sheet): ActionName[] {
  if (!c.mission) return c.online ? ['giveMission'] : [];
  return c.online ? ['finishMission', 'cancelMission'] : ['cancelMission'];
}

/** The mission of a character, and what an operator can do about it. */
export function MissionView({ sheet: c, again }: { sheet: Sheet; again?: () => void }) {
  const t = useWords();
  const lines = missionLines(c, Date.now(), t);
  return (
    <>
      {lines.length === 0 && <p class="hint">{t('noMission')}</p>}
      {lines.length > 0 && (
        <dl>
          {lines.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {c.instance && (
        <p class="hint">
          <a href={href('instances')}>{t('inInstance', { number: c.instance.number })}</a>
        </p>
      )}
      <ActionButtons names={missionActions(c)} target={async () => characterTarget(c)} {...(again ? { done: again } : {})} />
    </>
  );
}

/** The same in a dialog that knows the number of the character alone. */
export function MissionOf({ character, done }: { character: number; done?: () => void }) {
  const t = useWords();
  const loading = useLoaded<Sheet>(`/api/characters/${character}`);
  return (
    <section class="mission" aria-label={t('mission')}>
      <h3>{t('mission')}</h3>
      <Loaded from={loading}>{(sheet) => <MissionView sheet={sheet} {...(done ? { again: done } : {})} />}</Loaded>
    </section>
  );
}
