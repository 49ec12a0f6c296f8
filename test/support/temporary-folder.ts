/** A folder outside the repository for the tests of a file. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * To be called where hooks can be registered.
 * @returns what answers the folder's path: the folder is made by the first call, and removed with all that is in it after the tests
 */
export function useTemporaryFolder(): () => string {
  let folder: string | undefined;
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return () => (folder ??= realpathSync(mkdtempSync(join(tmpdir(), 'canticle-test-'))));
}
