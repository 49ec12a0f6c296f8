/** Runs the cases of DARs in this thread and, if that is faster, in more threads. It reports the outcomes in the order of the cases. */
import { availableParallelism } from 'node:os';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { mergedCoverage, type CoverageReport } from '../../network/coverage/coverage-report.js';
import { CaseQueue } from './case-queue.js';
import type { CaseFlags, DarTests } from './dar-tests.js';
import type { DarOrder, Order, WorkerMessage, DarCoverage, WorkerSetting } from './orders.js';
import type { ScriptReport } from './tested-dar.js';

/** Default number of threads. Each thread loads its own packages. */
const MAX_THREADS = 4;
/** Cases for which one more thread pays: it reads the packages, and its code is cold. */
const CASES_A_THREAD = 64;

export interface RunnerOptions {
  readonly flags: CaseFlags;
  /** The file that other threads run; without it, there are no other threads. */
  readonly workerFile?: string | undefined;
  /** As many as pay, by default. */
  readonly threads?: number | undefined;
}

export class CaseRunner {
  private readonly queue = new CaseQueue();
  private readonly dars: { readonly tests: DarTests; readonly order: DarOrder }[] = [];
  private readonly others: OtherThread[] = [];
  private readonly results: ScriptReport[] = [];
  private reported = 0;
  private readonly covered: (readonly DarCoverage[])[] = [];
  private saved = 0;
  private wake: () => void = () => undefined;

  /** @param report gets the outcomes, in the order of the cases */
  constructor(
    private readonly options: RunnerOptions,
    private readonly report: (number: number, outcome: ScriptReport) => void,
  ) {}

  /** Other threads may begin with it at once. @returns the number of its first case */
  add(tests: DarTests): number {
    const first = this.queue.added;
    const { file } = tests;
    const isAlone = this.threadsFor(first + tests.count) < 2;
    const order: DarOrder = { kind: 'dar', file, facts: isAlone ? [] : tests.facts, first };
    this.dars.push({ tests, order });
    for (const other of this.others) other.order(order);
    this.queue.add(tests.count);
    while (!isAlone && this.others.length + 1 < this.threadsFor(this.queue.added)) this.start();
    return first;
  }

  /** Resolves after the report of every case. */
  async run(): Promise<void> {
    for (let number = this.queue.take(); number !== undefined; number = this.queue.take()) {
      const { tests, order } = this.dars.filter((dar) => dar.order.first <= number!).at(-1)!;
      this.have(number, tests.run(number - order.first));
      for (const other of this.others) other.hear();
    }
    await this.until(() => this.reported === this.queue.added);
  }

  /** The coverage of each DAR, of all threads. */
  async coverage(): Promise<readonly CoverageReport[]> {
    for (const other of this.others) other.order({ kind: 'coverage' });
    await this.until(() => this.covered.length === this.others.length);
    return this.dars.map(({ tests, order }) =>
      this.covered
        .flat()
        .filter(({ first }) => first === order.first)
        .map(({ coverage }) => coverage)
        .reduce(mergedCoverage, tests.coverage()),
    );
  }

  /** Makes the other threads cache their compiled code, one after the other. */
  async saveCompiled(): Promise<void> {
    for (const [index, other] of this.others.entries()) {
      other.order({ kind: 'keep' });
      await this.until(() => this.saved > index);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.others.map((other) => other.end()));
  }

  /** Waits for other threads. @throws the error that ended one of them */
  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      await Promise.race([woken, ...this.others.map(({ failed }) => failed)]);
    }
  }

  private threadsFor(cases: number): number {
    const { workerFile, threads } = this.options;
    if (workerFile === undefined) return 1;
    const most = Math.min(availableParallelism(), MAX_THREADS);
    return Math.min(
      threads ?? most,
      threads === undefined ? Math.floor(cases / CASES_A_THREAD) : cases,
    );
  }

  private start(): void {
    const { workerFile, flags } = this.options;
    const other = new OtherThread(workerFile!, flags, this.queue.memory, (message) =>
      this.hear(message),
    );
    for (const { tests, order } of this.dars) other.order({ ...order, facts: tests.facts });
    this.others.push(other);
  }

  private hear(message: WorkerMessage): void {
    if (message.kind === 'script') this.have(message.number, message.outcome);
    else if (message.kind === 'coverage') this.covered.push(message.coverage);
    else this.saved += 1;
    this.wake();
  }

  private have(number: number, outcome: ScriptReport): void {
    this.results[number] = outcome;
    for (let next = this.results[this.reported]; next; next = this.results[this.reported]) {
      this.report(this.reported, next);
      this.reported += 1;
    }
  }
}

class OtherThread {
  private readonly channel = new MessageChannel();
  private readonly worker: Worker;
  /** Rejects where the thread ends by an error. */
  readonly failed: Promise<never>;

  constructor(
    file: string,
    flags: CaseFlags,
    memory: SharedArrayBuffer,
    private readonly onMessage: (message: WorkerMessage) => void,
  ) {
    const { port1, port2: port } = this.channel;
    const workerData: WorkerSetting = { port, memory, flags };
    this.worker = new Worker(file, { workerData, transferList: [port] });
    this.failed = new Promise((_, reject) => this.worker.once('error', reject));
    this.failed.catch(() => undefined);
    port1.on('message', onMessage);
  }

  order(order: Order): void {
    this.channel.port1.postMessage(order);
  }

  /** Handles the messages that have arrived, while this thread works. */
  hear(): void {
    const { port1 } = this.channel;
    for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
      this.onMessage(next.message as WorkerMessage);
  }

  async end(): Promise<void> {
    this.channel.port1.close();
    await this.worker.terminate();
  }
}
