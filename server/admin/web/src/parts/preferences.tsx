import { language, useWords } from '../i18n';
import { useStore } from '../store';
import { theme, type Theme } from '../theme';

/** Language and colours. */
export function Preferences() {
  const t = useWords();
  const wanted = useStore(theme);
  return (
    <div class="preferences">
      <div class="switch" role="group" aria-label={t('language')}>
        {(['ru', 'en'] as const).map((l) => (
          <button key={l} type="button" lang={l} aria-pressed={t.language === l} onClick={() => language.set(l)}>
            {l === 'ru' ? 'Русский' : 'English'}
          </button>
        ))}
      </div>
      <div class="switch" role="group" aria-label={t('colours')}>
        {(['system', 'light', 'dark'] satisfies Theme[]).map((v) => (
          <button key={v} type="button" aria-pressed={wanted === v} onClick={() => theme.set(v)}>
            {t(`theme.${v}`)}
          </button>
        ))}
      </div>
    </div>
  );
}
