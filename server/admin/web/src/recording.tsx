import { useEffect, useState } from 'preact/hooks';
import type { Capture } from './answers';
import { get, post } from './api';
import { spans } from './format';
import { say, useWords } from './i18n';
import { Field } from './parts/field';
import { Form, Select } from './parts/form';
import { explain } from './parts/loaded';
import { Icon } from './parts/icon';
import { tell } from './parts/notices';
import { href } from './router';
import { Store, useStore } from './store';

const period = 5000; // ms between two looks at a recording that goes on

/** How the recording goes that there is, if any; null where the server cannot record. */
const recording = new Store<Capture | null>(null);

const look = () => get<Capture>('/api/capture').then((state) => recording.set(state), () => recording.set(null));

/** Keeps an eye on the recording while the component is there. */
function useRecording(): Capture | null {
  const state = useStore(recording);
  useEffect(() => {
    void look();
    const timer = setInterval(look, state?.on ? period : 12 * period);
    return () => clearInterval(timer);
  }, [state?.on]);
  return state;
}

/** Tells on every page that a recording goes on, and leads to where it is stopped. */
export function RecordingLamp() {
  const t = useWords();
  if (!useRecording()?.on) return null;
  return (
    <a class="lamp" href={href('log')} title={t('recordingGoes')} aria-label={t('recordingGoes')}>
      <Icon name="record" />
    </a>
  );
}

/** The button that records what the server receives and sends; there is none where the server cannot. */
export function Recording() {
  const t = useWords();
  const state = useRecording();
  const [asking, setAsking] = useState(false);
  if (!state) return null;
  const stop = async () => {
    try {
      const ended = await post<Capture>('/api/capture', { on: false });
      recording.set(ended);
      tell(t('recordingEnded', { file: ended.path ?? '' }));
    } catch (cause) {
      tell(explain(cause, say()), true);
    }
  };
  return (
    <>
      {state.on ? (
        <button type="button" class="recording" title={state.path} onClick={stop}>
          {t('stopRecording')} <small>{t.count('recordedFrames', state.frames ?? 0)}</small>
        </button>
      ) : (
        <button type="button" onClick={() => setAsking(true)}>
          {t('record')}
        </button>
      )}
      {asking && <RecordingForm close={() => setAsking(false)} begun={(begun) => recording.set(begun)} />}
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
