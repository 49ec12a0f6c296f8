/** Packages that a project installs only if it uses SQL. They are loaded outside of the sandbox of a test runner, on their first use. */
import type { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { packageOf } from '../spec/loading/node-realm.js';

/** @throws Error that names the package if it is not installed */
export const loadPglite = (): typeof PGlite =>
  optional<{ readonly PGlite: typeof PGlite }>('@electric-sql/pglite').PGlite;

/** @throws Error that names the package if it is not installed */
export const loadPg = (): typeof pg => optional<typeof pg>('pg');

function optional<T>(name: string): T {
  try {
    return packageOf<T>(name);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      `The option pqs needs the package ${name}. Install it: npm install --save-dev ${name}.`,
      { cause },
    );
  }
}
