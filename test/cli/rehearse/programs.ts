/** Programs that make calls to a Canticle, for rehearsals. They use the built package. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root } from '../../repository/built-package.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

/** The number of lines that each program begins with. */
export const START_LINES = 5;

/** @param modules the packages that programs import */
export function usePrograms(...modules: readonly string[]) {
  const home = useTemporaryFolder();
  beforeAll(() => {
    ensureBuilt();
    const folder = join(home(), 'node_modules');
    mkdirSync(folder);
    symlinkSync(root, join(folder, 'canticle'));
    for (const name of modules) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, name));
    }
  }, 60_000);
  /** Writes a program. Its instance is `canticle`, and `call` sends a request. */
  const program = (name: string, lines: readonly string[], options = {}): string => {
    const file = join(home(), `${name}.mjs`);
    const start = [
      "import { startCanticle } from 'canticle';",
      `const canticle = await startCanticle(${JSON.stringify({ port: 0, grpc: true, ...options })});`,
      "const headers = { 'content-type': 'application/json' };",
      'const call = (method, path, body) =>',
      '  fetch(canticle.url + path, { method, headers, body: body && JSON.stringify(body) });',
    ];
    writeFileSync(file, [...start, ...lines, 'await canticle.close();', ''].join('\n'));
    return file;
  };
  const rehearse = (to: string, file: string, ...flags: readonly string[]) =>
    runHere('rehearse', '--to', to, ...flags, '--', process.execPath, file);
  return { home, program, rehearse };
}
