import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { getAgain, Problem, type Tagged } from '../api';
import { useWords, type Speech } from '../i18n';

const retry = 3000; // ms until what had no answer is asked for once more

/** What was asked of the server: its answer, or why there is none. */
export interface Loading<T> {
  value: T | undefined;
  problem: Problem | undefined;
  /** Asks again. What is there stays until the answer has come. */
  again: () => void;
}

/** Asks the server for what is at a path, and again every so many milliseconds, if told to. */
export function useLoaded<T>(path: string | null, every = 0): Loading<T> {
  const [answer, setAnswer] = useState<{ path: string; value?: T; problem?: Problem }>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (path === null) return undefined;
    const stop = new AbortController();
    let timer: number | undefined;
    let known: Tagged<T> | undefined;
    const ask = async () => {
      let next = every;
      try {
        const found = await getAgain<T>(path, known, stop.signal);
        if (found !== known) setAnswer({ path, value: found.value });
        else setAnswer((was) => (was?.problem ? { path, value: found.value } : was)); // as before, so nothing is drawn again
        known = found;
      } catch (cause) {
        if (stop.signal.aborted) return;
        const problem = cause instanceof Problem ? cause : new Problem(0, String(cause));
        setAnswer((was) => ({ ...(was?.path === path ? was : {}), path, problem }));
        if (problem.status === 0) next ||= retry; // a server that starts again answers soon
      }
      if (next && !stop.signal.aborted) timer = window.setTimeout(ask, next);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, every, asked]);
  const again = useCallback(() => setAsked((n) => n + 1), []);
  return { value: answer?.value, problem: answer?.problem, again };
}

/** Why the server has not done something, in words. */
export function explain(problem: unknown, t: Speech): string {
  if (!(problem instanceof Problem)) return String(problem);
  if (problem.status === 0) return t('noAnswer');
  return problem.message || t('failed', { status: problem.status });
}

/** Shows what was asked for, or that it is being asked for, or why it is missing. */
export function Loaded<T>({ from, children }: { from: Loading<T>; children: (value: T) => ComponentChildren }) {
  const t = useWords();
  return (
    <>
      {from.problem && (
        <p class="trouble" role="alert">
          {explain(from.problem, t)}{' '}
          <button type="button" class="small" onClick={from.again}>
            {t('again')}
          </button>
        </p>
      )}
      {from.value === undefined && !from.problem && <p class="waiting">{t('loading')}</p>}
      {from.value !== undefined && children(from.value)}
    </>
  );
}
