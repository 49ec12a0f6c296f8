/**
 * Node's own realm. A test runner may replace Node's globals with a page's in a test file, or remove them. A page's
 * `fetch` enforces CORS, and jsdom has no `Response`. The loader of jest may load a package's part for browsers
 * instead, if there is one.
 */
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

/** Read on use, because Node loads the parts of `fetch` on their first use. */
export const nodeGlobals = runInThisContext('globalThis') as typeof globalThis;

/** NOTE: Node before 20.16 cannot bypass the loader of jest. */
const own = nodeGlobals.process.getBuiltinModule?.('node:module').createRequire ?? createRequire;
const load = own(import.meta.url);

/** A package, loaded on first use. */
export const packageOf = <T>(name: string): T => load(name) as T;
