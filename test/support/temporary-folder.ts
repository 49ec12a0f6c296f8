/** A folder outside the repository for the tests of a file. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Call it where hooks can be registered.
 * @returns a function for the folder's path: the first call creates the folder, and a hook removes it with its
 * content after the tests
 */
export function useTemporaryFolder(): () => string {
  let folder: string | undefined;
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return () => (folder ??= realpathSync(mkdtempSync(join(tmpdir(), 'canticle-test-'))));
}
