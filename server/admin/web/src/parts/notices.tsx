import { useEffect, useState } from 'preact/hooks';
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

/** How many dialogs are open. Each lies above the whole page, so that notices are shown in the last of them. */
const dialogs = new Store(0);

/** The notices in a dialog, above all that it covers. */
export function NoticesOfDialog() {
  const [level, setLevel] = useState(-1);
  useEffect(() => {
    dialogs.set(dialogs.value + 1);
    setLevel(dialogs.value);
    return () => dialogs.set(dialogs.value - 1);
  }, []);
  return <Notices level={level} />;
}

/** The notices of the page, level 0, or of one of the dialogs that lie above it. */
export function Notices({ level = 0 }: { level?: number }) {
  const all = useStore(notices);
  const shown = useStore(dialogs) === level ? all : [];
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
