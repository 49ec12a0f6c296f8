/** Keeps what was found out about packages in files of the user's own, for the next process. */
import { join } from 'node:path';
import { CheckedPackages } from '../../daml/dar/checked-packages.js';
import { saveBuiltCode } from './built-code.js';
import { CodeFiles } from './code-files.js';
import { lookedAtPackages } from './looked-at.js';
import { cacheFolder, OF_BUILD, OwnFiles } from './own-files.js';

/** Bytes that compiled packages may have together: those that were written first go. */
const MAX_CODE_SIZE = 256 * 1024 * 1024;

interface Opened {
  readonly packages: CheckedPackages;
  readonly save: () => void;
}

/** By folder: what was read once is not read again. */
const opened = new Map<string, Opened>();

/**
 * What was checked before, kept in the folder.
 * @param folder false for none; where undefined, CANTICLE_CACHE says it (`off` for none), else it is `~/.canticle/cache`.
 *   Sources that were not built keep nothing unless they are told where. NOTE: what these compiled is not told apart by how they
 *   were then: whoever changes the compiler takes another folder.
 */
export function checkedPackages(folder: string | false | undefined): CheckedPackages | undefined {
  const lookedAt = lookedAtPackages();
  if (lookedAt !== undefined) return lookedAt;
  const root = cacheFolder(folder);
  if (root === undefined) return undefined;
  let found = opened.get(root);
  if (found === undefined) {
    const files = new OwnFiles(root, (why) => process.stderr.write(`canticle: ${why}\n`));
    const code = new CodeFiles(files, OF_BUILD);
    const save = () => {
      if (code.save()) files.bound(join(OF_BUILD, 'code'), MAX_CODE_SIZE);
    };
    found = { packages: new CheckedPackages(files, OF_BUILD, code), save };
    opened.set(root, found);
  }
  return found.packages;
}

/** Writes what was compiled, in whatever cache is in use: for when work is over, as that takes a moment. */
export function saveCompiledCode(): void {
  saveBuiltCode();
  for (const { save } of opened.values()) save();
}
