const NO_QUERY = Object.freeze({});

/** The parameters of a query: a name that comes more than once has a list. */
export function parseQuery(query: string): Readonly<Record<string, string | readonly string[]>> {
  if (query === '') return NO_QUERY;
  const parsed = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = parsed.get(name);
    parsed.set(
      name,
      known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value],
    );
  }
  // fromEntries creates only own members, also for names such as `__proto__`.
  return Object.fromEntries(parsed);
}
