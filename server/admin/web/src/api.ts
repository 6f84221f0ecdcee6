import type { Me } from './answers';
import { language } from './i18n';
import { served } from './served';
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

/** An answer with the tag by which the server knows it. */
export interface Tagged<T> {
  value: T;
  tag: string;
}

/** Asks the server. Errors are Problems; status 0 means that no answer came. */
export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await ask<T>(method, path, body, signal)).value;
}

/** Asks the server. The answer is the known one if that still is what the server has to say. */
async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal, known?: Tagged<T>): Promise<Tagged<T>> {
  const headers: Record<string, string> = { Accept: 'application/json', 'Accept-Language': language.value };
  if (known?.tag) headers['If-None-Match'] = known.tag;
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    headers['X-CSRF-Token'] = me.value?.csrf ?? '';
  }
  let response: Response;
  let text: string;
  try {
    response = await fetch(served(path), { method, headers, body: method === 'GET' ? null : JSON.stringify(body ?? {}), signal: signal ?? null, cache: 'no-store' });
    text = await response.text();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Problem(0, '');
  }
  if (response.status === 304 && known) return known;
  if (response.ok) return { value: (text ? JSON.parse(text) : {}) as T, tag: response.headers.get('ETag') ?? '' };
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
/** Asks for what is at a path once more; only what has changed is sent again. */
export const getAgain = <T>(path: string, known?: Tagged<T>, signal?: AbortSignal) => ask<T>('GET', path, undefined, signal, known);
export const post = <T>(path: string, body?: unknown) => call<T>('POST', path, body);
/** Does a verb of operators. */
export const perform = <T>(verb: string, request?: unknown) => post<T>(`/api/verbs/${verb}`, request);

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
