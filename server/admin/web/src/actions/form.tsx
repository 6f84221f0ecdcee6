import { useEffect, useRef, useState } from 'preact/hooks';
import type { Geography } from '../answers';
import { perform, Problem } from '../api';
import { readBack, spans } from '../format';
import { useWords } from '../i18n';
import { players } from '../live';
import { Dialog } from '../parts/dialog';
import { Field } from '../parts/field';
import { FormEnd, Select } from '../parts/form';
import { ItemPicker } from '../parts/itempicker';
import { explain, useLoaded } from '../parts/loaded';
import { tell } from '../parts/notices';
import { Store, useStore } from '../store';
import { actions, check, firstValues, roles, type Action, type ActionName, type FieldSpec, type Target, type Values } from './actions';

interface Asked {
  action: Action;
  target: Target;
  done: () => void;
}

const asked = new Store<Asked | null>(null);

/** Opens the form of an action; done is called when the server has done it. */
export function ask(name: ActionName, target: Target, done: () => void = () => {}): void {
  asked.set({ action: actions[name], target, done });
}

/** The form of the action that was asked for, if any. */
export function ActionDialog() {
  const now = useStore(asked);
  return now && <ActionForm key={`${now.action.title} ${now.target.name}`} {...now} />;
}

function ActionForm({ action, target, done }: Asked) {
  const t = useWords();
  const [values, setValues] = useState<Values>(() => firstValues(action.fields, target));
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  // What the server says would be lost, once it has asked for a confirmation.
  const [loses, setLoses] = useState('');
  const confirmation = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (loses) confirmation.current?.querySelector('input')?.focus();
  }, [loses]);
  const close = () => asked.set(null);
  const change = (more: Values) => setValues((was) => ({ ...was, ...more }));

  const submit = async (e: Event) => {
    e.preventDefault();
    const faults = check(action.fields, values, t);
    if (loses && !values.confirm?.trim()) faults.confirm = t('required');
    if (action.confirm && values.confirm?.trim() !== target.name) faults.confirm = t('confirmWrong');
    setWrong(faults);
    if (Object.keys(faults).length > 0) return;
    setBusy(true);
    setTrouble('');
    try {
      const body = { ...action.body(values, target), ...(loses ? { confirm: values.confirm } : {}) };
      const answer = await perform<{ text?: string; changed?: number }>(action.verb, body);
      close();
      tell(t(action.done, { name: target.name || (values.login ?? values.address ?? ''), text: answer.text ?? '', n: answer.changed ?? 0 }));
      done();
    } catch (cause) {
      const problem = cause instanceof Problem ? cause : new Problem(0, '');
      if (problem.status === 409 && (problem.code === 'confirm' || 'confirm' in problem.fields)) {
        setLoses(explain(problem, t));
        setWrong(loses ? problem.fields : {});
      } else {
        setWrong(problem.fields);
        setTrouble(explain(problem, t));
      }
      setBusy(false);
    }
  };

  return (
    <Dialog title={target.name ? t('actionTitle', { action: t(action.title), name: target.name }) : t(action.title)} close={close}>
      <form onSubmit={submit} noValidate>
        {action.explains && <p class={action.danger ? 'warning' : 'explains'}>{t(action.explains, { name: target.name, login: target.login ?? '' })}</p>}
        {action.fields.map((f) => (
          <ActionField key={f.name} spec={f} values={values} wrong={wrong} change={change} />
        ))}
        {(loses || action.confirm) && (
          <div ref={confirmation} role={loses ? 'alert' : undefined} class="confirmation">
            {loses && <p class="warning">{loses}</p>}
            <Field label={t('confirmLabel', { name: target.name })} error={wrong.confirm}>
              {(p) => <input {...p} type="text" autocomplete="off" spellcheck={false} value={values.confirm ?? ''} onInput={(e) => change({ confirm: e.currentTarget.value })} />}
            </Field>
          </div>
        )}
        <FormEnd trouble={trouble} close={close} action={t(action.title)} danger={action.danger} busy={busy} />
      </form>
    </Dialog>
  );
}

interface ActionFieldProps {
  spec: FieldSpec;
  values: Values;
  wrong: Record<string, string>;
  change: (more: Values) => void;
}

function ActionField(props: ActionFieldProps) {
  const { spec, values, wrong, change } = props;
  const t = useWords();
  if (spec.kind === 'destination') return <Destination {...props} />;
  if (spec.kind === 'item') return <ItemPicker values={values} error={wrong.item ?? wrong.suffix} change={change} />;
  const choose = (value: string) => change({ [spec.name]: value });
  const set = (e: { currentTarget: { value: string } }) => choose(e.currentTarget.value);
  const value = values[spec.name] ?? '';
  return (
    <Field label={t(spec.label)} hint={spec.hint && t(spec.hint)} error={wrong[spec.name] ?? (spec.kind === 'minutes' ? wrong.until : undefined)}>
      {(p) => {
        switch (spec.kind) {
          case 'lines':
            return <textarea {...p} rows={3} value={value} onInput={set} />;
          case 'minutes':
            return <Select {...p} value={value} change={choose} options={spans(t)} />;
          case 'choice':
            return <Select {...p} value={value} change={choose} options={(spec.options ?? []).map(([v, word]) => [v, t(word)])} />;
          case 'role':
            return <Select {...p} value={value} change={choose} options={roles.map((r) => [r, t.named('role', r)])} />;
          case 'password':
            return <input {...p} type="password" autocomplete="new-password" value={value} onInput={set} />;
          case 'datetime':
            return (
              <>
                <input {...p} type="datetime-local" value={value} onInput={set} />
                <output for={p.id}>{readBack(value, t.language)}</output>
              </>
            );
          default:
            return <input {...p} type="text" inputMode={spec.kind === 'number' ? 'numeric' : spec.kind === 'factor' ? 'decimal' : 'text'} autocomplete="off" value={value} onInput={set} />;
        }
      }}
    </Field>
  );
}

/** Where a teleport leads. */
function Destination({ values, wrong, change }: ActionFieldProps) {
  const t = useWords();
  const geography = useLoaded<Geography>('/api/map').value;
  const everybody = [...players.value.values()].sort((a, b) => a.name.localeCompare(b.name)).map((one) => [one.name, one.name] as const);
  useEffect(() => {
    if (!values.place && geography) change({ place: geography.places.find((p) => p.kind === 'city')?.key ?? '' });
  }, [geography]);
  return (
    <fieldset>
      <legend>{t('destination')}</legend>
      <div class="choices">
        {(['place', 'coordinates', 'player'] as const).map((way) => (
          <label key={way}>
            <input type="radio" name="way" value={way} checked={values.way === way} onChange={() => change({ way })} /> {t(`way.${way}`)}
          </label>
        ))}
      </div>
      {values.way === 'place' && (
        <Field label={t('place')} error={wrong.place}>
          {(p) => (
            <select {...p} value={values.place} onChange={(e) => change({ place: e.currentTarget.value })}>
              {geography?.areas.map((area) => (
                <optgroup key={area.key} label={t.both(area.name)}>
                  {geography.places
                    .filter((place) => place.area === area.key)
                    .map((place) => (
                      <option key={place.key} value={place.key}>
                        {t.both(place.name)}
                      </option>
                    ))}
                </optgroup>
              ))}
            </select>
          )}
        </Field>
      )}
      {values.way === 'coordinates' && (
        <Field label={t('coordinatesLabel')} hint={t('coordinatesHint')} error={wrong.coordinates ?? wrong.x ?? wrong.y ?? wrong.z}>
          {(p) => (
            <input {...p} type="text" autocomplete="off" placeholder="2614 157.8 1293" value={values.coordinates ?? ''} onInput={(e) => change({ coordinates: e.currentTarget.value })} />
          )}
        </Field>
      )}
      {values.way === 'player' && (
        <Field label={t('player')} error={wrong.toPlayer}>
          {(p) => <Select {...p} value={values.toPlayer ?? ''} change={(toPlayer) => change({ toPlayer })} options={[['', '–'], ...everybody]} />}
        </Field>
      )}
    </fieldset>
  );
}
