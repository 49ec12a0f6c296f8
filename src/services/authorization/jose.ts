/** The package jose, loaded when a token is first to be checked: it takes a good part of the time of a start. */
import { createRequire } from 'node:module';
import type * as Jose from 'jose';

const load = createRequire(import.meta.url);

export const jose = (): typeof Jose => load('jose') as typeof Jose;
