import type { Change } from '../answers';
import { useWords } from '../i18n';

/** Keys with the value that counts and the one that will. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const t = useWords();
  return (
    <ul class="changes">
      {changes.map((c) => (
        <li key={c.key}>
          <code>{c.key}</code>: {c.old || t('emptyValue')} → {c.new || t('emptyValue')} {c.restart && <span class="badge">{t('afterRestart')}</span>}
        </li>
      ))}
    </ul>
  );
}
