import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Me } from './answers';
import type { Page } from './app';
import { me, post } from './api';
import { say, useWords } from './i18n';
import { link, players, status } from './live';
import { explain } from './parts/loaded';
import { Icon } from './parts/icon';
import { tell } from './parts/notices';
import { Preferences } from './parts/preferences';
import { toneOf, troubles } from './parts/verdict';
import { RecordingLamp } from './recording';
import { href } from './router';
import { useStore } from './store';

/** The menu, the bar above, and the page that was chosen. */
export function Shell({ pages, current, who, children }: { pages: Page[]; current: Page | undefined; who: Me; children: ComponentChildren }) {
  const t = useWords();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const leave = (e: KeyboardEvent) => {
    if (!open || e.key !== 'Escape') return;
    setOpen(false);
    opener.current?.focus();
  };
  const first = useRef(true);
  useEffect(() => {
    setOpen(false);
    // Whoever goes from page to page with a keyboard or by ear goes on at the new page.
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [current?.key]);
  return (
    <div class={open ? 'shell open' : 'shell'}>
      <a
        class="skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          main.current?.focus();
        }}
      >
        {t('skip')}
      </a>
      <header class="bar">
        <button ref={opener} type="button" class="quiet menu-button" aria-expanded={open} aria-controls="menu" aria-label={t('menu')} onClick={() => setOpen(!open)} onKeyDown={leave}>
          <Icon name={open ? 'close' : 'menu'} />
        </button>
        <span class="server">{useStore(status)?.name || who.name || 'Sphere'}</span>
        <Pulse />
        <span class="space" />
        {who.role === 'administrator' && <RecordingLamp />}
        <Wellness />
      </header>
      <nav id="menu" aria-label={t('pages')} onKeyDown={leave}>
        <ul>
          {pages.map((p) => (
            <li key={p.key}>
              <a href={href(p.key)} aria-current={p === current ? 'page' : undefined} onClick={() => setOpen(false)}>
                <Icon name={p.key} />
                {t(p.key)}
              </a>
            </li>
          ))}
        </ul>
        <Preferences />
        <p class="who">
          <span>
            <strong>{who.login}</strong>
            <small>{t.named('role', who.role)}</small>
          </span>
          <button type="button" class="small" onClick={logout}>
            {t('logout')}
          </button>
        </p>
        <p class="version">{who.version}</p>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

async function logout(): Promise<void> {
  try {
    await post('/api/logout');
    me.set(null);
  } catch (cause) {
    tell(explain(cause, say()), true);
  }
}

/** Whether the page hears from the server, and how many play. */
function Pulse() {
  const t = useWords();
  const state = useStore(link);
  const inside = useStore(players).size;
  return (
    <span class={`pulse ${state}`}>
      <span class="dot" aria-hidden="true" />
      {state === 'live' ? t.count('inWorld', inside) : t(`link.${state}`)}
    </span>
  );
}

/** Whether saving, ticks and backups are as they ought to be, on every page; the way to what is wrong. */
function Wellness() {
  const t = useWords();
  const now = useStore(status);
  const lost = useStore(link) === 'lost';
  if (!now || lost) return null;
  const all = troubles(now, t);
  const tone = toneOf(all);
  const text = all[0]?.text ?? t('allWell');
  return (
    <a class={`wellness ${tone}`} href={href('health')} title={all.map((one) => one.text).join('\n') || text}>
      <Icon name={tone === 'good' ? 'well' : 'attention'} />
      <span>{text}</span>
    </a>
  );
}
