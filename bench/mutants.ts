/**
 * Mutation testing: `canticle mutate` of the published test DARs of Splice, on two threads. The goal is 1,000 mutants
 * with 20 scripts in 60 s.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MutationReport } from '../src/mutating/reporting/mutation-report.js';
import { figure, machine } from './measure/report.js';

const BIN = join(process.cwd(), 'bin', 'canticle.js');
const FOLDER = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');
const DARS = ['splice-wallet-test-0.1.8.dar', 'splice-amulet-test-0.1.8.dar'];
const run = promisify(execFile);

machine();
if (DARS.some((dar) => !existsSync(join(FOLDER, dar))))
  console.log(`These are measured with ${DARS.join(' and ')} in ${FOLDER}, which are not there.`);
else
  for (const dar of DARS) {
    const began = performance.now();
    const args = [BIN, 'mutate', join(FOLDER, dar), '--json', '--workers', '2'];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 26 });
    const seconds = (performance.now() - began) / 1000;
    const { mutants, tests, score } = JSON.parse(stdout) as MutationReport;
    figure(`${dar}: ${mutants.length} mutants, ${tests.length} scripts`, seconds, 's');
    figure(`${dar}: score`, score, '%');
  }
