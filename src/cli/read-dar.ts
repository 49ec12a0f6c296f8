/** Reads DARs for commands that need no ledger. */
import { readNamedFile } from '../assembly/dar-files.js';
import { checkedPackages } from '../assembly/cache/fact-files.js';
import { darSources } from '../daml/archive/zip/dar-sources.js';
import { readDar, type Dar } from '../daml/dar/dar-file.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { causeOf, CommandFailed } from './terminal.js';
import { isError } from '../daml/errors/realms.js';

export interface NamedDar extends Dar {
  /** The path as the user wrote it. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Source texts of the main package. */
  readonly sources: readonly string[];
}

/** @throws CommandFailed if the file does not exist, or a participant would reject the DAR */
export function namedDar(file: string, cache: string | false | undefined): NamedDar {
  try {
    const bytes = readNamedFile(file);
    const checked = checkedPackages(cache);
    const dar = readDar(bytes, undefined, { name: file, ...(checked && { checked }) });
    return { ...dar, file, bytes, sources: darSources(bytes).map(({ text }) => text) };
  } catch (error) {
    if (!(error instanceof LedgerError) && isError(error, 'TypeError')) throw error;
    throw new CommandFailed(`failed to read ${file}: ${causeOf(error)}`);
  }
}
