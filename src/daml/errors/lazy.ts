/**
 * Makes a value at its first use. Above all it loads modules that many processes never use: with `import type * as X from './x.js'`,
 * `lazy(() => require('./x.js') as typeof X)`. Asynchronous code calls `await import('./x.js')` instead. The build puts modules that are
 * loaded in these two ways into other packs than the first (scripts/build/packs.mjs).
 */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
