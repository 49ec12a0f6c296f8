/**
 * The cost of a second release in one process, next to the cost of a second instance: time, memory, and the files of
 * facts that are read. It measures the built package in new processes.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { figure, machine, middle, ratio } from '../measure/report.js';

const PACKAGE = `${process.cwd()}/dist/cjs/index.js`;
const RUNS = 7;
const run = promisify(execFile);

interface Measured {
  /** Milliseconds of each instance, to its answers. */
  readonly times: readonly number[];
  /** Bytes of the heap after each instance. */
  readonly heap: readonly number[];
  /** The compressed files that it read. */
  readonly files: readonly string[];
}

/** Creates instances of the releases in a new process. Each answers a request for its ledger end and one for updates. */
async function measured(releases: readonly string[]): Promise<Measured> {
  const code = `
    const fs = require('node:fs');
    const files = [];
    const read = fs.readFileSync;
    fs.readFileSync = (file, ...rest) => {
      if (/packs[\\\\/](facts|validators)/.test(String(file))) files.push(String(file).split(/[\\\\/]/).slice(-2).join('/'));
      return read(file, ...rest);
    };
    const { createCanticle } = require(${JSON.stringify(PACKAGE)});
    const ask = async (canton) => {
      const canticle = createCanticle({ canton, bare: true });
      const party = canticle.participant.allocateParty('party');
      const filter = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
      const includeTransactions = { eventFormat: filter, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
      const body = { beginExclusive: 0, updateFormat: { includeTransactions } };
      const end = await canticle.handle({ path: '/v2/state/ledger-end' });
      const updates = await canticle.handle({ method: 'POST', path: '/v2/updates?stream_idle_timeout_ms=1', body });
      if (end.status !== 200 || updates.status !== 200) throw new Error(end.status + ' ' + updates.status);
      return canticle;
    };
    (async () => {
      const [times, heap, kept] = [[], [], []];
      for (const release of ${JSON.stringify(releases)}) {
        const start = process.hrtime.bigint();
        kept.push(await ask(release));
        times.push(Number(process.hrtime.bigint() - start) / 1e6);
        gc();
        heap.push(process.memoryUsage().heapUsed);
      }
      console.log(JSON.stringify({ times, heap, files }));
    })();
  `;
  const { stdout } = await run(process.execPath, ['--expose-gc', '-e', code]);
  return JSON.parse(stdout) as Measured;
}

/** The medians of the second instance: what it takes in addition to the first. */
async function second(releases: readonly [string, string]) {
  const all: Measured[] = [];
  for (let each = 0; each < RUNS; each++) all.push(await measured(releases));
  return {
    time: middle(all.map(({ times }) => times[1]!)),
    memory: middle(all.map(({ heap }) => heap[1]! - heap[0]!)) / 1e6,
    files: all[0]!.files,
  };
}

machine();
for (const release of ['3.4', '3.5', '3.6', '3.7']) {
  const { times, files } = await measured([release]);
  figure(`first instance, of ${release}`, times[0]!, 'ms');
  console.log(
    `    reads ${files.length === 0 ? 'no file of facts' : [...new Set(files)].sort().join(', ')}`,
  );
}
const same = await second(['3.5', '3.5']);
figure('second instance of the same release', same.time, 'ms');
figure('its heap', same.memory, 'MB');
for (const release of ['3.4', '3.6']) {
  const other = await second(['3.5', release]);
  const alone = await second([release, release]);
  figure(`second instance, of ${release} after 3.5`, other.time, 'ms');
  figure('its heap', other.memory, 'MB');
  figure(`second instance, of ${release} after ${release}`, alone.time, 'ms');
  ratio(`an instance of ${release} to one of 3.5, once its facts are read`, alone.time / same.time);
}
