import { useId } from 'preact/hooks';

/** A field to search with; its label is for those who listen. */
export function Search({ label, value, change }: { label: string; value: string; change: (text: string) => void }) {
  const id = useId();
  return (
    <search class="search">
      <label class="unseen" for={id}>
        {label}
      </label>
      <input id={id} type="search" placeholder={label} autocomplete="off" spellcheck={false} value={value} onInput={(e) => change(e.currentTarget.value)} />
    </search>
  );
}
