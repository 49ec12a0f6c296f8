/** Generated files depend on the schemas only: the same input gives the same bytes. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { APIS } from '../../src/spec/apis.js';
import { API_VERSIONS, SPLICE_VERSIONS, spliceReleaseOf } from '../../src/spec/versions.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const root = resolve(__dirname, '../..');
const folder = useTemporaryFolder();

function generate(run: string): Map<string, string> {
  const out = join(folder(), run);
  execFileSync(process.execPath, [join(root, 'scripts', 'generate.mjs'), '--out', out]);
  const names = readdirSync(out).sort();
  return new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]));
}

/** The documents of Splice's releases after the first. */
const OTHERS = SPLICE_VERSIONS.slice(1).flatMap((each) => spliceReleaseOf(each).documents);
/** Types and validators of each API, and the validators of other releases. */
const FILES = 2 * Object.keys(APIS).length + API_VERSIONS.length - 1 + OTHERS.length;

test('another run writes the same files as the ones that the sources import', () => {
  const written = generate('again');
  expect([...written.keys()].filter((name) => name.endsWith('.ts'))).toHaveLength(FILES);
  const used = join(root, 'src', 'spec', 'generated');
  for (const [name, text] of written)
    expect([name, readFileSync(join(used, name), 'utf8')]).toEqual([name, text]);
});
