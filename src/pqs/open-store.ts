/** Opens a database in this process. */
import { newDatabase, RESTRICTED } from './pglite-data.js';
import { PgliteStore, sessionOf, type Writer } from './pglite-store.js';
import { loadPglite } from './optional-packages.js';
import type { LocalStore } from './store.js';

/** @param name of the database @throws Error that names the package @electric-sql/pglite if it is not installed */
export async function openLocalStore(name: string, writer: Writer): Promise<LocalStore> {
  const db = await newDatabase(await loadPglite());
  await sessionOf(db).exec(RESTRICTED);
  return new PgliteStore(name, db, writer);
}
