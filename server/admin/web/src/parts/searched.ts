import { useEffect, useState } from 'preact/hooks';
import { withQuery } from '../api';
import { route } from '../router';
import { useStore } from '../store';
import { useLater } from './later';
import { useLoaded, type Loading } from './loaded';

interface Searched<T> {
  search: string;
  setSearch: (text: string) => void;
  loading: Loading<T[]>;
}

/** A list of the server, searched for what the address says and for what is typed. */
export function useSearched<T>(path: string): Searched<T> {
  const where = useStore(route);
  const [search, setSearch] = useState(where.query.get('search') ?? '');
  useEffect(() => setSearch(where.query.get('search') ?? ''), [where]);
  const asked = useLater(search);
  return { search, setSearch, loading: useLoaded<T[]>(withQuery(path, { search: asked, limit: 200 })) };
}
