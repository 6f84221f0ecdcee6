import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ActionDialog } from './actions/form';
import { may } from './actions/actions';
import type { Role } from './answers';
import { me, whoAmI } from './api';
import { useWords, type Word } from './i18n';
import { begin, end } from './live';
import { MapPage } from './map/page';
import { AccountsPage } from './pages/accounts';
import { AuditPage } from './pages/audit';
import { BackupsPage } from './pages/backups';
import { CharactersPage } from './pages/characters';
import { ChatPage } from './pages/chat';
import { ConfigPage } from './pages/config';
import { DeskPage } from './pages/desk';
import { HealthPage } from './pages/health';
import { InstancesPage } from './pages/instances';
import { LogPage } from './pages/log';
import { FirstPage, LoginPage } from './pages/login';
import { OnlinePage } from './pages/online';
import { TokensPage } from './pages/tokens';
import type { IconName } from './parts/icon';
import { Notices } from './parts/notices';
import { href, route } from './router';
import { Shell } from './shell';
import { useStore } from './store';

/** A page of the menu. */
export interface Page {
  key: IconName & Word;
  view: ComponentType;
  need: Role;
}

const pages: Page[] = [
  { key: 'map', view: MapPage, need: 'helper' },
  { key: 'online', view: OnlinePage, need: 'helper' },
  { key: 'characters', view: CharactersPage, need: 'helper' },
  { key: 'accounts', view: AccountsPage, need: 'helper' },
  { key: 'desk', view: DeskPage, need: 'helper' },
  { key: 'instances', view: InstancesPage, need: 'helper' },
  { key: 'chat', view: ChatPage, need: 'helper' },
  { key: 'health', view: HealthPage, need: 'helper' },
  { key: 'log', view: LogPage, need: 'administrator' },
  { key: 'config', view: ConfigPage, need: 'administrator' },
  { key: 'backups', view: BackupsPage, need: 'administrator' },
  { key: 'audit', view: AuditPage, need: 'helper' },
  { key: 'tokens', view: TokensPage, need: 'administrator' },
];

/** The whole page: the login, or the menu with what was chosen from it. */
export function App() {
  const t = useWords();
  const who = useStore(me);
  const where = useStore(route);
  const [unreachable, setUnreachable] = useState(false);
  const login = who?.login;

  useEffect(() => {
    let timer: number;
    const ask = () =>
      whoAmI().then(
        () => setUnreachable(false),
        () => {
          setUnreachable(true);
          timer = window.setTimeout(ask, 3000);
        },
      );
    void ask();
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!login) return undefined;
    begin();
    return end;
  }, [login]);

  const mine = pages.filter((p) => may(who?.role, p.need));
  const wanted = where.page === 'first' ? 'map' : where.page; // the link of the first administrator, who is in
  const page = mine.find((p) => p.key === wanted);
  useEffect(() => {
    document.documentElement.lang = t.language;
    document.title = [who && t(page?.key ?? 'noPage'), who?.name || 'Sphere'].filter(Boolean).join(' · ');
  }, [t, who, page]);

  if (who === undefined) return <p class="waiting">{t(unreachable ? 'noAnswer' : 'loading')}</p>;
  if (who === null) return where.page === 'first' ? <FirstPage code={where.id} /> : <LoginPage />;
  return (
    <>
      <Shell pages={mine} current={page} who={who}>
        {page ? <page.view /> : <NoPage need={pages.find((p) => p.key === wanted)?.need} />}
      </Shell>
      <ActionDialog />
      <Notices />
    </>
  );
}

/** Says why an address shows nothing: there is no such page, or it is for a greater role. */
function NoPage({ need }: { need: Role | undefined }) {
  const t = useWords();
  return (
    <>
      <h1>{t('noPage')}</h1>
      <p>{need ? t('pageNeeds', { role: t.named('role', need) }) : t('pageUnknown')}</p>
      <p>
        <a href={href('map')}>{t('toMap')}</a>
      </p>
    </>
  );
}
