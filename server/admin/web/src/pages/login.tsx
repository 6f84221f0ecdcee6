import { useState } from 'preact/hooks';
import type { First, Me } from '../answers';
import { me, post, Problem, thrownOut } from '../api';
import { useWords } from '../i18n';
import { Field } from '../parts/field';
import { explain, useLoaded } from '../parts/loaded';
import { go } from '../router';
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
        <HowToBegin />
        <Preferences />
      </form>
    </main>
  );
}

/** How a server gets its first administrator. */
function HowToBegin() {
  const t = useWords();
  const first = useLoaded<First>('/api/first').value;
  return (
    <details class="how" open={Boolean(first?.open)}>
      <summary>{t('howToBegin')}</summary>
      {first?.open && <p class="warning">{t('noAdministrator')}</p>}
      <p>{t('beginLink')}</p>
      <p>{t('beginAccount')}</p>
      <code>sphere account add {t('loginWord')} --role administrator</code>
      <p>{t('beginRole')}</p>
      <code>sphere account role {t('loginWord')} administrator</code>
    </details>
  );
}

/** Makes the first administrator, with the key of the link that the server has printed. */
export function FirstPage({ code }: { code: string }) {
  const t = useWords();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (e: Event) => {
    e.preventDefault();
    const faults: Record<string, string> = {};
    if (!login.trim()) faults.login = t('required');
    if (!password) faults.password = t('required');
    if (again !== password) faults.again = t('passwordsDiffer');
    setWrong(faults);
    setTrouble('');
    if (Object.keys(faults).length > 0) return;
    setBusy(true);
    try {
      me.set(await post<Me>('/api/first', { key: code, login: login.trim(), password }));
      go('map');
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
        <h1>{t('firstTitle')}</h1>
        <p class="hint">{t('firstExplains')}</p>
        <Field label={t('login')} error={wrong.login}>
          {(p) => <input {...p} name="login" type="text" autocomplete="username" autocapitalize="none" spellcheck={false} value={login} onInput={(e) => setLogin(e.currentTarget.value)} />}
        </Field>
        <Field label={t('password')} error={wrong.password}>
          {(p) => <input {...p} name="password" type="password" autocomplete="new-password" value={password} onInput={(e) => setPassword(e.currentTarget.value)} />}
        </Field>
        <Field label={t('passwordAgain')} error={wrong.again}>
          {(p) => <input {...p} name="again" type="password" autocomplete="new-password" value={again} onInput={(e) => setAgain(e.currentTarget.value)} />}
        </Field>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="main" disabled={busy}>
          {t('firstMake')}
        </button>
        <a href="#/">{t('haveAccount')}</a>
        <Preferences />
      </form>
    </main>
  );
}
