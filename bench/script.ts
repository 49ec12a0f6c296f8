/**
 * Daml scripts: runs the published test DARs of Splice in a cold process, in a process with cached checks, and in a
 * warm process. Also runs one of their scripts from the command line.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScriptTests } from '../src/assembly/script-tests.js';
import { figure, machine, median } from './measure/report.js';

const BIN = join(process.cwd(), 'bin', 'canticle.js');
const FOLDER = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');
const DARS = ['splice-wallet-test-0.1.8.dar', 'splice-amulet-test-0.1.8.dar'];
const run = promisify(execFile);

machine();
if (DARS.some((dar) => !existsSync(join(FOLDER, dar)))) {
  console.log(`These are measured with ${DARS.join(' and ')} in ${FOLDER}, which are not there.`);
} else {
  const test = (...flags: readonly string[]) =>
    run(process.execPath, [BIN, 'test', ...flags], { maxBuffer: 2 ** 26 });
  const cache = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  figure('all scripts, cold', await timed(() => test('--cache', cache, ...DARS)), 'ms');
  figure('all scripts, remembered', await median(3, () => test('--cache', cache, ...DARS)), 'ms');
  const one = ['--test-pattern', 'TestTransferOffers', '--cache', cache, DARS[0]!];
  figure('one script, remembered', await median(3, () => test(...one)), 'ms');
  rmSync(cache, { recursive: true });

  const tests = DARS.map((dar) => new ScriptTests(dar));
  const all = () => {
    let count = 0;
    for (const each of tests)
      for (const script of each.scripts()) {
        each.run(script);
        count++;
      }
    return count;
  };
  const count = all();
  const took = await median(5, () => Promise.resolve(all()));
  figure('scripts in a process that has run them', (count * 1000) / took, 'a second');
}
