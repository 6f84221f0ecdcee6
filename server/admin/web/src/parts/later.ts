import { useEffect, useState } from 'preact/hooks';

/** A value as it was when it had not changed for a while: what is typed is not asked for letter by letter. */
export function useLater<T>(value: T, milliseconds = 250): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return later;
}
