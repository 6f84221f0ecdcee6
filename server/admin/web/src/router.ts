import { Store } from './store';

/** A page and what it is about, from the address behind the #: "#/characters/12?search=a" . What follows the id is the page's own. */
export interface Route {
  page: string;
  id: string;
  rest: string[];
  query: URLSearchParams;
}

/** Reads what stands behind the # of an address. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', id = '', ...rest] = path.split('/');
  return { page: page || 'map', id: decode(id), rest: rest.map(decode), query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page. */
export function href(page: string, id: string | number = '', query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search ? `?${search}` : ''}`;
}

/** Where the user is. */
export const route = new Store<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => route.set(parseRoute(location.hash)));

/** Goes to a page. */
export function go(page: string, id: string | number = '', query: Record<string, string> = {}): void {
  location.hash = href(page, id, query);
}
