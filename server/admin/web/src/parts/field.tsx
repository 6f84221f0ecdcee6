import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (props: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ComponentChildren;
}

/** A field with its label, a hint, and what is wrong with its value. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': Boolean(error) })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
