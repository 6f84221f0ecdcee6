import { useState } from 'preact/hooks';
import type { Me } from '../answers';
import { me, post, Problem, thrownOut } from '../api';
import { useWords } from '../i18n';
import { Field } from '../parts/field';
import { explain } from '../parts/loaded';
import { Preferences } from '../shell';
import { useStore } from '../store';

export function LoginPage() {
  const t = useWords();
  const out = useStore(thrownOut);
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    setTrouble('');
    setWrong({});
    try {
      me.set(await post<Me>('/api/login', { login, password }));
    } catch (cause) {
      setWrong(cause instanceof Problem ? cause.fields : {});
      setTrouble(explain(cause, t));
      setBusy(false);
    }
  };
  return (
    <main class="login">
      <form onSubmit={submit} noValidate>
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1>{t('loginTitle')}</h1>
        {out && (
          <p class="warning" role="status">
            {t('thrownOut')}
          </p>
        )}
        <Field label={t('login')} error={wrong.login}>
          {(p) => <input {...p} name="login" type="text" autocomplete="username" autocapitalize="none" spellcheck={false} value={login} onInput={(e) => setLogin(e.currentTarget.value)} />}
        </Field>
        <Field label={t('password')} error={wrong.password}>
          {(p) => <input {...p} name="password" type="password" autocomplete="current-password" value={password} onInput={(e) => setPassword(e.currentTarget.value)} />}
        </Field>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="main" disabled={busy}>
          {t('enter')}
        </button>
        <Preferences />
      </form>
    </main>
  );
}
