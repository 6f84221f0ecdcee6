// What this browser remembers of its user: language, colours, how the map was left.

/** What was remembered under a name; null where nothing was, or nothing can be. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`sphere.${name}`);
  } catch {
    return null;
  }
}

/** Remembers a text; null forgets it. */
export function remember(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(`sphere.${name}`);
    else localStorage.setItem(`sphere.${name}`, text);
  } catch {
    // A browser that remembers nothing asks again next time.
  }
}
