/** A browser of this machine: one per test file, opened on demand. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The browser's path: `CANTICLE_BROWSER`, or a browser on the PATH; undefined if there is none. */
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

/** Tests in a browser. Without a browser they are skipped, and the title says why. */
export function describeInBrowser(
  title: string,
  body: (open: () => Promise<Browser>) => void,
): void {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    test.skip(`${title} (needs programs: chromium)`, () => undefined);
    return;
  }
  // The root user cannot use the sandbox, and containers have little shared memory.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  describe(title, () => body(() => chromium.launch({ executablePath, args })));
}
