import { Store, useStore } from '../store';

interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

const notices = new Store<Notice[]>([]);
let next = 1;

/** Tells the user something for a while. */
export function tell(text: string, bad = false): void {
  const id = next++;
  notices.set([...notices.value, { id, text, bad }].slice(-4));
  setTimeout(() => notices.set(notices.value.filter((n) => n.id !== id)), bad ? 12_000 : 5000);
}

export function Notices() {
  const shown = useStore(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map((n) => (
        <p key={n.id} class={n.bad ? 'notice bad' : 'notice'}>
          {n.text}
        </p>
      ))}
    </div>
  );
}
