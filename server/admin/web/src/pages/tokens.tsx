import { useState } from 'preact/hooks';
import type { Role, Token } from '../answers';
import { call, post } from '../api';
import { moment } from '../format';
import { useWords } from '../i18n';
import { Dialog } from '../parts/dialog';
import { Field } from '../parts/field';
import { Form, Select } from '../parts/form';
import { Loaded, useLoaded } from '../parts/loaded';
import { tell } from '../parts/notices';
import { Table, type Column } from '../parts/table';

export function TokensPage() {
  const t = useWords();
  const loading = useLoaded<Token[]>('/api/tokens');
  const [making, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<Token | null>(null);
  const columns: Column<Token>[] = [
    { key: 'name', title: t('tokenName'), by: (k) => k.name.toLowerCase(), cell: (k) => <strong>{k.name}</strong> },
    { key: 'login', title: t('account'), by: (k) => k.login, cell: (k) => k.login },
    { key: 'role', title: t('role'), by: (k) => k.role, cell: (k) => t.named('role', k.role) },
    { key: 'created', title: t('created'), by: (k) => k.created, cell: (k) => moment(k.created, t.language), wide: true },
    { key: 'expires', title: t('expires'), by: (k) => k.expires ?? '9', cell: (k) => (k.expires ? moment(k.expires, t.language) : t('never')) },
    { key: 'lastUsed', title: t('lastUsed'), by: (k) => k.lastUsed ?? '', cell: (k) => moment(k.lastUsed, t.language), wide: true },
    {
      key: 'actions',
      title: t('actions'),
      cell: (k) => (
        <button type="button" class="small risky" aria-label={t('deleteToken', { name: k.name })} onClick={() => setDoomed(k)}>
          {t('delete')}
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{t('tokens')}</h1>
        <button type="button" class="main" onClick={() => setMaking(true)}>
          {t('newToken')}
        </button>
      </div>
      <p class="hint">{t('tokensHint')}</p>
      <Loaded from={loading}>{(all) => <Table label={t('tokens')} columns={columns} rows={all} id={(k) => k.id} first={{ key: 'name', down: false }} empty={t('noTokens')} />}</Loaded>
      {making && <TokenForm close={() => setMaking(false)} done={loading.again} />}
      {doomed && <DeleteForm token={doomed} close={() => setDoomed(null)} done={loading.again} />}
    </>
  );
}

const tokenRoles = ['helper', 'gamemaster', 'administrator'] as const satisfies Role[];

function TokenForm({ close, done }: { close: () => void; done: () => void }) {
  const t = useWords();
  const [name, setName] = useState('');
  const [role, setRole] = useState<string>('helper');
  const [days, setDays] = useState('90');
  const [made, setMade] = useState('');
  const submit = async () => {
    if (!/^\d+$/.test(days.trim())) return { days: t('wholeNumber') };
    const token = await post<Token>('/api/tokens', { name, role, days: Number(days) });
    setMade(token.token ?? '');
    done();
    return undefined;
  };
  if (made) {
    return (
      <Dialog title={t('tokenMade')} close={close}>
        <p class="warning">{t('tokenOnce')}</p>
        <Field label={t('token')}>{(p) => <input {...p} class="secret" type="text" readOnly value={made} onFocus={(e) => e.currentTarget.select()} />}</Field>
        <div class="buttons">
          <button type="button" class="main" onClick={close}>
            {t('close')}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Form title={t('newToken')} close={close} submit={submit} action={t('makeToken')}>
      {(wrong) => (
        <>
          <Field label={t('tokenName')} hint={t('tokenNameHint')} error={wrong.name}>
            {(p) => <input {...p} type="text" autocomplete="off" value={name} onInput={(e) => setName(e.currentTarget.value)} />}
          </Field>
          <Field label={t('role')} error={wrong.role}>
            {(p) => <Select {...p} value={role} change={setRole} options={tokenRoles.map((r) => [r, t.named('role', r)])} />}
          </Field>
          <Field label={t('days')} hint={t('daysHint')} error={wrong.days}>
            {(p) => <input {...p} type="text" inputMode="numeric" autocomplete="off" value={days} onInput={(e) => setDays(e.currentTarget.value)} />}
          </Field>
        </>
      )}
    </Form>
  );
}

function DeleteForm({ token, close, done }: { token: Token; close: () => void; done: () => void }) {
  const t = useWords();
  const remove = async () => {
    await call('DELETE', `/api/tokens/${token.id}`, { confirm: token.name });
    done();
    close();
    tell(t('deleteDone', { name: token.name }));
  };
  return (
    <Form title={t('deleteToken', { name: token.name })} close={close} submit={remove} action={t('delete')} danger>
      {() => <p class="warning">{t('deleteTokenExplains', { name: token.name })}</p>}
    </Form>
  );
}
