/**
 * Node's own realm. A test runner may give a test file the globals of a page in place of Node's, or none: its `fetch` asks for leave of
 * the origin, and jsdom has no `Response`. The loader of jest gives it the part of a package that is for browsers, where there is one.
 */
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

/** Each is looked up when it is used, as Node loads what `fetch` needs when it is first named. */
export const nodeGlobals = runInThisContext('globalThis') as typeof globalThis;

/** NOTE: releases of Node before 20.16 have no way past the loader of jest. */
const own = nodeGlobals.process.getBuiltinModule?.('node:module').createRequire ?? createRequire;
const load = own(import.meta.url);

/** A package, loaded when it is first asked for. */
export const packageOf = <T>(name: string): T => load(name) as T;
