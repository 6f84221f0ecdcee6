import { useEffect, useState } from 'preact/hooks';
import type { Capture } from './answers';
import { get, post } from './api';
import { spans } from './format';
import { say, useWords } from './i18n';
import { Field } from './parts/field';
import { Form, Select } from './parts/form';
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
  const submit = async () => {
    const state = await post<Capture>('/api/capture', { on: true, account: account.trim(), anonymous, minutes: Number(minutes) });
    begun(state);
    close();
    tell(t('recordingBegun', { file: state.path ?? '' }));
  };
  return (
    <Form title={t('record')} close={close} submit={submit} action={t('beginRecording')}>
      {(wrong) => (
        <>
          <p class="warning">{t('recordExplains')}</p>
          <Field label={t('recordWhom')} hint={t('recordWhomHint')} error={wrong.account}>
            {(p) => <input {...p} type="text" autocomplete="off" spellcheck={false} value={account} onInput={(e) => setAccount(e.currentTarget.value)} />}
          </Field>
          <Field label={t('howLong')} error={wrong.minutes}>
            {(p) => <Select {...p} value={minutes} change={setMinutes} options={spans(t).slice(0, 3)} />}
          </Field>
          <label class="choice">
            <input type="checkbox" checked={anonymous} onChange={(e) => setAnonymous(e.currentTarget.checked)} /> {t('anonymous')}
          </label>
        </>
      )}
    </Form>
  );
}
