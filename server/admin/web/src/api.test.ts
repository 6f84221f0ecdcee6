import { expect, test, vi } from 'vitest';
import type { Me } from './answers';

vi.stubGlobal('navigator', { languages: ['en'] });
const { get, getAgain, me, thrownOut, whoAmI } = await import('./api');

const answers = (status: number) => vi.stubGlobal('fetch', async () => new Response('{}', { status }));

test('whoever was logged in is told to have been thrown out; whoever was not is not', async () => {
  answers(401);
  await whoAmI();
  expect([me.value, thrownOut.value]).toEqual([null, false]);
  me.set({ login: 'chief' } as Me);
  await expect(get('/api/players')).rejects.toMatchObject({ status: 401 });
  expect([me.value, thrownOut.value]).toEqual([null, true]);
  me.set({ login: 'chief' } as Me);
  expect(thrownOut.value).toBe(false);
});

test('what has not changed is not sent again', async () => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers['If-None-Match']);
    return headers['If-None-Match'] === 'W/"1"' ? new Response(null, { status: 304 }) : new Response('[1]', { status: 200, headers: { ETag: 'W/"1"' } });
  });
  const first = await getAgain<number[]>('/api/x');
  expect(await getAgain('/api/x', first)).toBe(first);
  expect([first.value, sent]).toEqual([[1], [undefined, 'W/"1"']]);
});
