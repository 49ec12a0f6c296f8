/**
 * The cost of a second release in one process, next to the cost of a second instance: processor time, memory, and the
 * files of facts that are read. It measures the built package in new processes. The compared processes take turns, so
 * that other load affects them equally.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { figure, machine, middle, ratio } from '../measure/report.js';

const PACKAGE = `${process.cwd()}/dist/cjs/index.js`;
const RUNS = 15;
const run = promisify(execFile);

/** The processor time of an instance, in milliseconds. */
interface Cost {
  readonly creation: number;
  /** Until it has answered a request for its ledger end and one for updates. */
  readonly answers: number;
}

interface Measured {
  /** Of each instance, in the order of their creation. */
  readonly costs: readonly Cost[];
  /** Bytes of the heap after each instance. */
  readonly heap: readonly number[];
  /** The files of facts that it read. */
  readonly files: readonly string[];
}

/** Creates instances of the releases in a new process. */
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
    const since = (start) => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    const ask = async (canton) => {
      const start = process.cpuUsage();
      const canticle = createCanticle({ canton, bare: true });
      const creation = since(start);
      const party = canticle.participant.allocateParty('party');
      const filter = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
      const includeTransactions = { eventFormat: filter, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
      const body = { beginExclusive: 0, updateFormat: { includeTransactions } };
      const end = await canticle.handle({ path: '/v2/state/ledger-end' });
      const updates = await canticle.handle({ method: 'POST', path: '/v2/updates?stream_idle_timeout_ms=1', body });
      if (end.status !== 200 || updates.status !== 200) throw new Error(end.status + ' ' + updates.status);
      return { canticle, cost: { creation, answers: since(start) } };
    };
    (async () => {
      const [costs, heap, kept] = [[], [], []];
      for (const release of ${JSON.stringify(releases)}) {
        const { canticle, cost } = await ask(release);
        kept.push(canticle);
        costs.push(cost);
        gc();
        heap.push(process.memoryUsage().heapUsed);
      }
      console.log(JSON.stringify({ costs, heap, files }));
    })();
  `;
  const { stdout } = await run(process.execPath, ['--expose-gc', '-e', code]);
  return JSON.parse(stdout) as Measured;
}

/** The releases of the first and the second instance of a process. */
const PAIRS = ['3.5 3.5', '3.5 3.4', '3.4 3.4', '3.5 3.6', '3.6 3.6', '3.5 3.7', '3.7 3.7'];

machine();
for (const release of ['3.4', '3.5', '3.6', '3.7']) {
  const { costs, files } = await measured([release]);
  figure(`first instance, of ${release}`, costs[0]!.answers, 'ms');
  console.log(
    `    reads ${files.length === 0 ? 'no file of facts' : [...new Set(files)].sort().join(', ')}`,
  );
}
const turns: Record<string, Measured>[] = [];
for (let turn = 0; turn < RUNS; turn++) {
  const all: Record<string, Measured> = {};
  for (const pair of PAIRS) all[pair] = await measured(pair.split(' '));
  turns.push(all);
}
const costOf = (pair: string, part: keyof Cost): number[] =>
  turns.map((all) => all[pair]!.costs[1]![part]);
const against = (pair: string, part: keyof Cost): number => {
  const base = costOf('3.5 3.5', part);
  return middle(costOf(pair, part).map((each, turn) => each / base[turn]!));
};
for (const pair of PAIRS) {
  const [first, second] = pair.split(' ');
  const name = `instance of ${second} after one of ${first}`;
  figure(`${name}, creation`, middle(costOf(pair, 'creation')), 'ms');
  figure(`${name}, to its answers`, middle(costOf(pair, 'answers')), 'ms');
  const added = turns.map((all) => all[pair]!.heap[1]! - all[pair]!.heap[0]!);
  figure(`${name}, heap`, middle(added) / 1e6, 'MB');
  if (pair === '3.5 3.5') continue;
  ratio(`${name} to a second one of 3.5, creation`, against(pair, 'creation'), { max: 1 });
  ratio(`${name} to a second one of 3.5, to its answers`, against(pair, 'answers'), { max: 1 });
}
