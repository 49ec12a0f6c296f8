/** Packages that a project installs only if it uses SQL: they are loaded on demand. */
import type { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';

export async function loadPglite(): Promise<typeof PGlite> {
  const loaded = await import('@electric-sql/pglite').catch(missing('@electric-sql/pglite'));
  return loaded.PGlite;
}

export async function loadPg(): Promise<typeof pg> {
  const loaded = await import('pg').catch(missing('pg'));
  return loaded.default;
}

const missing = (name: string) => (cause: unknown) => {
  const { code } = cause as { code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
  throw new Error(
    `The option pqs needs the package ${name}. Install it: npm install --save-dev ${name}.`,
    { cause },
  );
};
