/** Opens a database in this process. */
import type { Participant } from '../network/participant.js';
import { formatInstant } from '../daml/model/time.js';
import { loadPglite } from './optional-packages.js';
import { newDatabase, type PreparedFiles } from './pglite-data.js';
import { PgliteStore, sessionOf } from './pglite-store.js';
import { migrationHistory } from './schema/migrations.js';
import type { LocalStore } from './store.js';
import type { ParticipantWriter } from './writing/participant-writer.js';
import type { RowOptions } from './writing/row-options.js';

/** @throws Error for an invalid filter, and if the package @electric-sql/pglite is not installed: the error names it */
export async function openLocalStore(
  name: string,
  writer: ParticipantWriter,
  {
    participant,
    options,
    files,
  }: {
    readonly participant: Participant;
    readonly options: RowOptions;
    readonly files: PreparedFiles | undefined;
  },
): Promise<LocalStore> {
  const { version = '3.5' } = options;
  const db = await newDatabase(loadPglite(), version, files);
  const installedOn = formatInstant(participant.ledger.startTime);
  await sessionOf(db).exec(migrationHistory(version, installedOn));
  return new PgliteStore(name, db, writer);
}
