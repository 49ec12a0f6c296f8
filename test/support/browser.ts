/** A browser that this machine has: one for a test file, which is opened when it is first needed. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where it is: `CANTICLE_BROWSER`, or one on the PATH; undefined where there is none. */
export function browserPath(): string | undefined {
  const named = process.env['CANTICLE_BROWSER'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...places].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Tests in a browser; skipped under a title that says so where there is none. */
export function describeInBrowser(
  title: string,
  body: (open: () => Promise<Browser>) => void,
): void {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    test.skip(`${title} (needs programs: chromium)`, () => undefined);
    return;
  }
  // Whoever is root has no sandbox, and containers have little shared memory.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  describe(title, () => body(() => chromium.launch({ executablePath, args })));
}
