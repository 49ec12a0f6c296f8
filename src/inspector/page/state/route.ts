/**
 * The route of the page: a path and a query after the `#`, so that each update, contract and filter has its own
 * URL. `as` is the perspective, and remains on each link.
 */
import { storeOf, useStore } from './store.js';

export interface Route {
  /** Decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** The perspective; undefined for everyone. */
export type Eyes = { readonly party: string } | { readonly participant: string } | undefined;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

const route = storeOf(read());
addEventListener('hashchange', () => route.set(read()));

export const useRoute = (): Route => useStore(route);

export type Change = Readonly<Record<string, string | undefined>>;

/** The URL of a view. It keeps only `as` of the current query. */
export function href(path: readonly string[], query: Change = {}): string {
  const whole = { as: route.get().query['as'], ...query };
  const given = Object.entries(whole).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

/** The same view with another query. */
export const hrefHere = (query: Change): string => {
  const { path, query: now } = route.get();
  return href(path, { ...now, ...query });
};

export const goTo = (url: string): void => {
  location.hash = url;
};

/** Like {@link goTo}, but without a new entry in the browser's history: for text input. */
export function replaceWith(url: string): void {
  history.replaceState(undefined, '', url);
  route.set(read());
}

export function eyesOf({ query }: Route): Eyes {
  const [kind, name] = (query['as'] ?? '').split(/:(.*)/s);
  if (name === undefined || name === '') return undefined;
  if (kind === 'party') return { party: name };
  return kind === 'participant' ? { participant: name } : undefined;
}
