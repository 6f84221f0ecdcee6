import type { Me } from './answers';
import { language } from './i18n';
import { Store } from './store';

/** Why the server has not done something. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = '',
    /** What is wrong with fields of the request, by name. */
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** Who is logged in: null for nobody, undefined until that is known. */
export const me = new Store<Me | null | undefined>(undefined);

/** True once the server has thrown the user out: at a restart, after a while, or because of a change of the account. */
export const thrownOut = new Store(false);
me.watch((who) => who && thrownOut.set(false));

/** Notes that the server knows the user no longer. */
function forget(): void {
  if (me.value) thrownOut.set(true);
  me.set(null);
}

/** Asks the server. Errors are Problems; status 0 means that no answer came. */
export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json', 'Accept-Language': language.value };
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    headers['X-CSRF-Token'] = me.value?.csrf ?? '';
  }
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { method, headers, body: method === 'GET' ? null : JSON.stringify(body ?? {}), signal: signal ?? null, cache: 'no-store' });
    text = await response.text();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Problem(0, '');
  }
  if (response.ok) return (text ? JSON.parse(text) : {}) as T;
  if (response.status === 401 && path !== '/api/login') forget();
  throw problemOf(response.status, text);
}

/** Reads the answer to a request that was refused. */
export function problemOf(status: number, text: string): Problem {
  try {
    const answer = JSON.parse(text) as { error?: string; code?: string; fields?: Record<string, string> };
    return new Problem(status, answer.error ?? '', answer.code ?? '', answer.fields ?? {});
  } catch {
    return new Problem(status, '');
  }
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>('GET', path, undefined, signal);
export const post = <T>(path: string, body?: unknown) => call<T>('POST', path, body);

/** A path with what stands behind its "?"; empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, v]) => v !== undefined && v !== '');
  return given.length ? `${path}?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` : path;
}

/** Finds out who is logged in. */
export async function whoAmI(): Promise<void> {
  try {
    me.set(await get<Me>('/api/me'));
  } catch (problem) {
    if (!(problem instanceof Problem && problem.status === 401)) throw problem;
  }
}
