/** `canticle fuzz --solve`: branches that wait for numbers which random values never have. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vault } from '../../fuzzing/solving/vault.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const folder = useTemporaryFolder();

async function fuzz(...flags: readonly string[]): Promise<string> {
  const dar = join(folder(), 'vault.dar');
  writeFileSync(dar, buildDar(vault));
  const { status, stdout } = await runHere(
    'fuzz',
    dar,
    '--runs',
    '60',
    '--party',
    'Alice',
    ...flags,
  );
  expect(status).toBe(0);
  return stdout;
}

test('reaches them, and says how many', async () => {
  const before = await fuzz();
  expect(before).toContain('waits for True of ((3 * first) + second) == (secret + 1234567)');
  const after = await fuzz('--solve');
  expect(after).toMatch(/the solver reached [1-9] more branches/);
  expect(after).toContain('Coverage: 8 of 8 branches');
});

test('keeps the sequences in the corpus', async () => {
  const corpus = join(folder(), 'corpus');
  await fuzz('--solve', '--corpus', corpus);
  expect(await fuzz('--corpus', corpus)).toContain('Coverage: 8 of 8 branches');
});
