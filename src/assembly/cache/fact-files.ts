/** Stores facts about packages in files of the user, for the next process. */
import { join } from 'node:path';
import { CheckedPackages } from '../../daml/dar/checked-packages.js';
import { saveBuiltCode } from './built-code.js';
import { lazy } from '../../daml/errors/lazy.js';
import { fromEnvironment } from '../../options/environment.js';
import { CodeFiles } from './code-files.js';
import type * as MutantsHere from './mutants-here.js';
import { lookedAtPackages } from './looked-at.js';
import { cacheFolder, OF_BUILD, OwnFiles } from './own-files.js';

const mutantsHere = lazy(() => require('./mutants-here.js') as typeof MutantsHere);

/** Maximum bytes of all compiled packages together. The oldest are deleted first. */
const MAX_CODE_SIZE = 256 * 1024 * 1024;

interface Opened {
  readonly packages: CheckedPackages;
  readonly save: () => void;
}

/** By folder: each folder is read once per process. */
const opened = new Map<string, Opened>();

/**
 * The packages that were checked before, from the folder.
 * @param folder false for none. If undefined, CANTICLE_CACHE sets it (`off` for none), or else `~/.canticle/cache`.
 *   Sources that were not built cache nothing unless a folder is set. NOTE: their cache does not record the version of the compiler. If
 * you
 *   change the compiler, use another folder.
 */
export function checkedPackages(folder: string | false | undefined): CheckedPackages | undefined {
  const lookedAt = lookedAtPackages();
  if (lookedAt !== undefined) return lookedAt;
  const root = cacheFolder(folder);
  const mutants = fromEnvironment('CANTICLE_MUTANT');
  if (root === undefined) return mutants ? mutatedPackages(mutants) : undefined;
  let found = opened.get(root);
  if (found === undefined) {
    const files = new OwnFiles(root, (why) => process.stderr.write(`canticle: ${why}\n`));
    const code = new CodeFiles(files, OF_BUILD);
    const save = () => {
      if (code.save()) files.bound(join(OF_BUILD, 'code'), MAX_CODE_SIZE);
    };
    const used = mutants ? mutantsHere().codeWithMutants(mutants, code) : code;
    found = { packages: new CheckedPackages(files, OF_BUILD, used), save };
    opened.set(root, found);
  }
  return found.packages;
}

/** Without a cache. */
function mutatedPackages(file: string): CheckedPackages {
  uncached ??= new CheckedPackages(undefined, '', mutantsHere().codeWithMutants(file, undefined));
  return uncached;
}

let uncached: CheckedPackages | undefined;

/** Writes compiled code to all caches in use. This takes a moment, so call it after the work. */
export function saveCompiledCode(): void {
  saveBuiltCode();
  for (const { save } of opened.values()) save();
}
