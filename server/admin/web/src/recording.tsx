import { useEffect, useState } from 'preact/hooks';
import type { Capture } from './answers';
import { get, post, Problem } from './api';
import { say, useWords } from './i18n';
import { Dialog } from './parts/dialog';
import { Field } from './parts/field';
import { explain } from './parts/loaded';
import { tell } from './parts/notices';

const period = 5000; // ms between two looks at a recording that goes on

/** The button that records what the server receives and sends; there is none where the server cannot. */
export function Recording() {
  const t = useWords();
  const [state, setState] = useState<Capture | null>(null);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    const look = () => get<Capture>('/api/capture').then(setState, () => setState(null));
    void look();
    const timer = setInterval(look, state?.on ? period : 12 * period);
    return () => clearInterval(timer);
  }, [state?.on]);
  if (!state) return null;
  const stop = async () => {
    try {
      const ended = await post<Capture>('/api/capture', { on: false });
      setState(ended);
      tell(t('recordingEnded', { file: ended.path ?? '' }));
    } catch (cause) {
      tell(explain(cause, say()), true);
    }
  };
  return (
    <>
      {state.on ? (
        <button type="button" class="small recording" title={state.path} onClick={stop}>
          {t('stopRecording')} <small>{t.count('recordedFrames', state.frames ?? 0)}</small>
        </button>
      ) : (
        <button type="button" class="small" onClick={() => setAsking(true)}>
          {t('record')}
        </button>
      )}
      {asking && <RecordingForm close={() => setAsking(false)} begun={setState} />}
    </>
  );
}

function RecordingForm({ close, begun }: { close: () => void; begun: (state: Capture) => void }) {
  const t = useWords();
  const [account, setAccount] = useState('');
  const [anonymous, setAnonymous] = useState(true);
  const [minutes, setMinutes] = useState('60');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState('');
  const submit = async (e: Event) => {
    e.preventDefault();
    try {
      const state = await post<Capture>('/api/capture', { on: true, account: account.trim(), anonymous, minutes: Number(minutes) });
      begun(state);
      close();
      tell(t('recordingBegun', { file: state.path ?? '' }));
    } catch (cause) {
      setWrong(cause instanceof Problem ? cause.fields : {});
      setTrouble(explain(cause, t));
    }
  };
  return (
    <Dialog title={t('record')} close={close}>
      <form onSubmit={submit} noValidate>
        <p class="warning">{t('recordExplains')}</p>
        <Field label={t('recordWhom')} hint={t('recordWhomHint')} error={wrong.account}>
          {(p) => <input {...p} type="text" autocomplete="off" spellcheck={false} value={account} onInput={(e) => setAccount(e.currentTarget.value)} />}
        </Field>
        <Field label={t('howLong')} error={wrong.minutes}>
          {(p) => (
            <select {...p} value={minutes} onChange={(e) => setMinutes(e.currentTarget.value)}>
              <option value="10">{t('tenMinutes')}</option>
              <option value="60">{t('oneHour')}</option>
              <option value="1440">{t('oneDay')}</option>
            </select>
          )}
        </Field>
        <label class="choice">
          <input type="checkbox" checked={anonymous} onChange={(e) => setAnonymous(e.currentTarget.checked)} /> {t('anonymous')}
        </label>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="main">
            {t('beginRecording')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
