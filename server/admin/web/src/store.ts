import { useEffect, useState } from 'preact/hooks';

/** A value that parts of the page watch. */
export class Store<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    this.current = value;
    for (const w of this.watchers) w(value);
  }

  /** Calls watch at each change, until what it returns is called. */
  watch(watch: (value: T) => void): () => void {
    this.watchers.add(watch);
    return () => this.watchers.delete(watch);
  }
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  const { value } = store;
  useEffect(() => {
    if (store.value !== value) redraw({}); // it has changed since it was drawn, and nobody watched
    return store.watch(() => redraw({}));
  }, [store]);
  return value;
}
