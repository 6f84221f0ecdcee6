import { useState } from 'preact/hooks';
import type { ChatLine } from '../answers';
import { may } from '../actions/actions';
import { me, perform, Problem } from '../api';
import { clock, moment } from '../format';
import { useWords } from '../i18n';
import { chat } from '../live';
import { Field } from '../parts/field';
import { Flow } from '../parts/flow';
import { explain } from '../parts/loaded';
import { tell } from '../parts/notices';
import { Search } from '../parts/search';
import { href } from '../router';
import { useStore } from '../store';

/** Whether a line is among those that are wanted. */
export function wanted(line: ChatLine, search: string, channel: string): boolean {
  const text = search.trim().toLowerCase();
  return (!channel || line.channel === channel) && [line.from, line.account, line.to, line.text].some((v) => v.toLowerCase().includes(text));
}

export function ChatPage() {
  const t = useWords();
  const lines = useStore(chat);
  const who = useStore(me);
  const [search, setSearch] = useState('');
  const [channel, setChannel] = useState('');
  const channels = [...new Set(lines.map((line) => line.channel))].sort();
  const shown = lines.filter((line) => wanted(line, search, channel));
  return (
    <div class="fill">
      <div class="head">
        <h1>{t('chat')}</h1>
        <Search label={t('searchChat')} value={search} change={setSearch} />
        <select aria-label={t('channel')} value={channel} onChange={(e) => setChannel(e.currentTarget.value)}>
          <option value="">{t('allChannels')}</option>
          {channels.map((c) => (
            <option key={c} value={c}>
              {t.named('channel', c)}
            </option>
          ))}
        </select>
      </div>
      <Flow label={t('chat')} length={shown.length} empty={t('noChat')}>
        {shown.map((line, i) => (
          <li key={`${line.at} ${i}`}>
            <time dateTime={line.at} title={moment(line.at, t.language)}>
              {clock(line.at, t.language)}
            </time>
            <span class="channel">{t.named('channel', line.channel)}</span>
            <span class="said">
              {line.from ? <a href={href('characters', '', { search: line.from })} title={line.account}>{line.from}</a> : <strong>{t('theServer')}</strong>}
              {line.to && <> → {line.to}</>}: {line.text}
            </span>
          </li>
        ))}
      </Flow>
      {may(who?.role, 'gamemaster') && <SayToAll />}
    </div>
  );
}

function SayToAll() {
  const t = useWords();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!text.trim()) {
      setWrong(t('required'));
      return;
    }
    try {
      const got = await perform<{ text: string }>('say', { text });
      setText('');
      setWrong('');
      tell(t('said', { text: got.text }));
    } catch (cause) {
      setWrong((cause instanceof Problem && cause.fields.text) || explain(cause, t));
    }
  };
  return (
    <form class="say" onSubmit={submit} noValidate>
      <Field label={t('sayToAll')} error={wrong}>
        {(p) => <input {...p} type="text" autocomplete="off" value={text} onInput={(e) => setText(e.currentTarget.value)} />}
      </Field>
      <button type="submit" class="main">
        {t('say')}
      </button>
    </form>
  );
}
