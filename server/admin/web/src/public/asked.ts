import { useEffect, useState } from 'preact/hooks';
import { served } from '../served';

const patience = 10_000; // ms

/** What the server has told last, when, and whether it still answers. */
export interface Asked<T> {
  value: T | undefined;
  /** As of Date.now(). */
  at: number;
  lost: boolean;
}

/** Asks for what is at a path, and again every so many milliseconds while somebody looks; 0 for once. Null asks for nothing. */
export function useAsked<T>(path: string | null, every = 0): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ value: undefined, at: 0, lost: false });
  useEffect(() => {
    if (path === null) {
      setAsked({ value: undefined, at: 0, lost: false });
      return undefined;
    }
    const stop = new AbortController();
    let timer: number | undefined;
    const ask = async () => {
      let done = false;
      if (!document.hidden) {
        try {
          const response = await fetch(served(path), { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(patience)]) });
          if (!response.ok) throw new Error(String(response.status));
          const value = (await response.json()) as T;
          setAsked({ value, at: Date.now(), lost: false });
          done = true;
        } catch {
          if (stop.signal.aborted) return;
          setAsked((was) => ({ ...was, lost: true }));
        }
      }
      clearTimeout(timer); // of a question that was asked meanwhile
      if (every || !done) timer = window.setTimeout(ask, every || 5000);
    };
    void ask();
    // Whoever comes back to the page wants to know how it is now.
    const back = () => {
      if (document.hidden || !every) return;
      clearTimeout(timer);
      void ask();
    };
    document.addEventListener('visibilitychange', back);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', back);
    };
  }, [path, every]);
  return asked;
}
