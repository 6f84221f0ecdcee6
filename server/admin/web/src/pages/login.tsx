import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { First, Me } from '../answers';
import { me, post, Problem, thrownOut } from '../api';
import { useWords } from '../i18n';
import { Field } from '../parts/field';
import { explain, useLoaded } from '../parts/loaded';
import { Preferences } from '../parts/preferences';
import { go } from '../router';
import { useStore } from '../store';

export function LoginPage() {
  const t = useWords();
  const out = useStore(thrownOut);
  return (
    <Entrance title={t('loginTitle')} action={t('enter')} enter={(login, password) => post<Me>('/api/login', { login, password })} below={<HowToBegin />}>
      {out && (
        <p class="warning" role="status">
          {t('thrownOut')}
        </p>
      )}
    </Entrance>
  );
}

/** Makes the first administrator, with the key of the link that the server has printed. */
export function FirstPage({ code }: { code: string }) {
  const t = useWords();
  const make = async (login: string, password: string) => {
    const who = await post<Me>('/api/first', { key: code, login: login.trim(), password });
    go('map');
    return who;
  };
  return (
    <Entrance title={t('firstTitle')} action={t('firstMake')} enter={make} twice below={<a href="#/">{t('haveAccount')}</a>}>
      <p class="hint">{t('firstExplains')}</p>
    </Entrance>
  );
}

interface EntranceProps {
  title: string;
  /** What stands below the title, and below the button. */
  children: ComponentChildren;
  below: ComponentChildren;
  /** The word on the button, and what it does. */
  action: string;
  enter: (login: string, password: string) => Promise<Me>;
  /** The password is new, and asked for twice. */
  twice?: boolean;
}

/** Asks for login and password, and lets in. */
function Entrance({ title, children, below, action, enter, twice }: EntranceProps) {
  const t = useWords();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = async (e: Event) => {
    e.preventDefault();
    const faults: Record<string, string> = {};
    if (!login.trim()) faults.login = t('required');
    if (!password) faults.password = t('required');
    if (twice && again !== password) faults.again = t('passwordsDiffer');
    setWrong(faults);
    setTrouble('');
    if (Object.keys(faults).length > 0) return;
    setBusy(true);
    try {
      me.set(await enter(login, password));
    } catch (cause) {
      setWrong(cause instanceof Problem ? cause.fields : {});
      setTrouble(explain(cause, t));
      setBusy(false);
    }
  };
  const kind = twice ? 'new-password' : 'current-password';
  return (
    <main class="login">
      <form ref={form} onSubmit={submit} noValidate>
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1>{title}</h1>
        {children}
        <Field label={t('login')} error={wrong.login}>
          {(p) => <input {...p} name="login" type="text" autocomplete="username" autocapitalize="none" spellcheck={false} value={login} onInput={(e) => setLogin(e.currentTarget.value)} />}
        </Field>
        <Field label={t('password')} error={wrong.password}>
          {(p) => <input {...p} name="password" type="password" autocomplete={kind} value={password} onInput={(e) => setPassword(e.currentTarget.value)} />}
        </Field>
        {twice && (
          <Field label={t('passwordAgain')} error={wrong.again}>
            {(p) => <input {...p} name="again" type="password" autocomplete={kind} value={again} onInput={(e) => setAgain(e.currentTarget.value)} />}
          </Field>
        )}
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="main" disabled={busy}>
          {action}
        </button>
        {below}
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
