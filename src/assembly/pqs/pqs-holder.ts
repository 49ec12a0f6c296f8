/** The databases of an instance, if its options ask for them. Their code is loaded only then. */
import { lazy } from '../../daml/errors/lazy.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { Participant } from '../../network/participant.js';
import { cacheFolder, OF_BUILD, OwnFiles } from '../cache/own-files.js';
import type { PqsDatabases } from '../../pqs/databases.js';
import type * as Databases from '../../pqs/databases.js';
import type { PqsOptions } from './pqs-options.js';
import { join } from 'node:path';

const databases = lazy(() => require('../../pqs/databases.js') as typeof Databases);

/** Bytes of all prepared data folders together. */
const MAX_PREPARED_SIZE = 128 * 1024 * 1024;

export class PqsHolder {
  private readonly opened: PqsDatabases | undefined;

  /** @param cache see `cache` of the options of a Canticle @throws Error for an invalid filter */
  constructor(
    given: boolean | PqsOptions | undefined,
    participants: readonly Participant[],
    cache: string | false | undefined,
  ) {
    if (!given) return;
    const options = given === true ? {} : given;
    this.opened = new (databases().PqsDatabases)(participants, options, preparedFiles(cache));
  }

  /** @throws Error without the option `pqs` */
  get databases(): PqsDatabases {
    if (this.opened !== undefined) return this.opened;
    throw withCallerStack(new Error('This Canticle has no SQL. Start it with the option pqs.'));
  }

  async close(): Promise<void> {
    await this.opened?.close();
  }
}

/** Prepared data folders in the cache folder. */
function preparedFiles(cache: string | false | undefined) {
  const root = cacheFolder(cache);
  if (root === undefined) return undefined;
  const files = new OwnFiles(root, (why) => process.stderr.write(`canticle: ${why}\n`));
  return {
    read: (name: string) => files.read(join(OF_BUILD, name)),
    write: (name: string, bytes: Uint8Array) => {
      files.write(join(OF_BUILD, name), bytes);
      files.bound(join(OF_BUILD, 'sql'), MAX_PREPARED_SIZE);
    },
  };
}
