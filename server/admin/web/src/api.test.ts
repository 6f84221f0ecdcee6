import { expect, test, vi } from 'vitest';
import type { Me } from './answers';

vi.stubGlobal('navigator', { languages: ['en'] });
const { get, me, thrownOut, whoAmI } = await import('./api');

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
