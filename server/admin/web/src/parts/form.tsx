import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from '../api';
import { useWords } from '../i18n';
import { Dialog } from './dialog';
import { explain } from './loaded';

/** What is wrong with fields, by their names. */
export type Faults = Record<string, string>;

interface FormProps {
  title: string;
  close: () => void;
  /** Does what the form is for. What it returns or throws is shown. */
  submit: () => Promise<Faults | void>;
  /** The word on the button that submits. */
  action: string;
  danger?: boolean;
  /** Buttons of its own. */
  more?: ComponentChildren;
  children: (wrong: Faults) => ComponentChildren;
}

/** A dialog with a form. What is wrong with a field is shown there, all else below. */
export function Form({ title, close, submit, children, ...end }: FormProps) {
  const t = useWords();
  const [wrong, setWrong] = useState<Faults>({});
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    try {
      const faults = await submit();
      if (faults) setWrong(faults);
    } catch (cause) {
      setWrong(cause instanceof Problem ? cause.fields : {});
      setTrouble(explain(cause, t));
    }
    setBusy(false);
  };
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={send} noValidate>
        {children(wrong)}
        <FormEnd trouble={trouble} close={close} busy={busy} {...end} />
      </form>
    </Dialog>
  );
}

interface FormEndProps {
  trouble: string;
  close: () => void;
  action: string;
  danger?: boolean | undefined;
  busy?: boolean;
  more?: ComponentChildren;
}

/** The end of a form: why it was not done, and its buttons. */
export function FormEnd({ trouble, close, action, danger, busy, more }: FormEndProps) {
  const t = useWords();
  return (
    <>
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="buttons">
        {more}
        <button type="button" onClick={close}>
          {t('cancel')}
        </button>
        <button type="submit" class={danger ? 'danger' : 'main'} disabled={Boolean(busy)}>
          {action}
        </button>
      </div>
    </>
  );
}

interface SelectProps {
  value: string;
  change: (value: string) => void;
  /** Values, and how people call them. */
  options: readonly (readonly [string, string])[];
}

/** A choice of some; its other properties are those of a field. */
export function Select({ value, change, options, ...field }: SelectProps) {
  return (
    <select {...field} value={value} onChange={(e) => change(e.currentTarget.value)}>
      {options.map(([one, label]) => (
        <option key={one} value={one}>
          {label}
        </option>
      ))}
    </select>
  );
}
