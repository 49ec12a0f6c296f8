/** Reads the files of one run of a rehearsal: each process of the run has written its calls into one of them. */
import { createReadStream, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { ExchangeLine } from '../assembly/rehearsal/exchange-file.js';
import { routerOf, type Router } from '../http/routing/router.js';
import { MAX_REHEARSED_CALLS, MAX_REHEARSED_CHARACTERS } from '../recording/limits.js';
import type { Run, RunCall, RunTest } from '../recording/rehearsal/calls.js';
import { callOf } from './operation-of.js';
import { apiIn } from '../spec/apis.js';
import type { Operation } from '../spec/operations.js';
import { DEFAULT_SPLICE_VERSION, type ApiVersion, type SpliceVersion } from '../spec/versions.js';

type Line<K extends ExchangeLine['kind']> = Extract<ExchangeLine, { kind: K }>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** gRPC's status for a method that a server does not have. */
const UNIMPLEMENTED = 12;

/** The releases of the first instance of a run. */
export interface FirstReleases {
  readonly canton?: ApiVersion | undefined;
  readonly splice?: SpliceVersion | undefined;
}

export interface ReadRun extends Run, FirstReleases {}

/** The most calls of a run, and the most characters of their lines. */
export interface RunLimits {
  readonly maxCalls?: number;
  readonly maxCharacters?: number;
}

/** @param current the releases whose operations name calls that those of the run do not have */
export async function readRun(
  folder: string,
  current?: FirstReleases,
  limits: RunLimits = {},
): Promise<ReadRun> {
  const reading = new RunReading(current, limits);
  for (const name of readdirSync(folder).sort()) {
    const input = createReadStream(join(folder, name));
    for await (const text of createInterface({ input, crlfDelay: Infinity })) reading.line(text);
    reading.endFile();
  }
  return { ...reading.run, canton: reading.canton, splice: reading.splice };
}

class RunReading {
  private readonly calls: Writable<RunCall>[] = [];
  private readonly tests: RunTest[] = [];
  private readonly releases = new Set<string>();
  private router: Router | undefined;
  canton: ApiVersion | undefined;
  splice: SpliceVersion | undefined;
  private left = 0;
  private characters = 0;
  /** The first call after the last line with a place, of the present file. */
  private unplaced = 0;

  private readonly maxCalls: number;
  private readonly maxCharacters: number;

  constructor(
    private readonly current: FirstReleases | undefined,
    { maxCalls = MAX_REHEARSED_CALLS, maxCharacters = MAX_REHEARSED_CHARACTERS }: RunLimits,
  ) {
    this.maxCalls = maxCalls;
    this.maxCharacters = maxCharacters;
  }

  line(text: string): void {
    const line = lineOf(text);
    if (line?.kind === 'call') this.call(line, text.length);
    else if (line?.kind === 'instance') this.instance(line);
    else if (line?.kind === 'test') {
      const { kind: _, ...test } = line;
      this.tests.push({ ...test, file: shortPath(test.file) });
    } else if (line?.kind === 'place') this.placed(line.place);
    else if (line?.kind === 'start') this.calls.length = this.unplaced;
    // The process no longer writes: at least one call is missing.
    else if (line?.kind === 'full') this.left += 1;
  }

  endFile(): void {
    this.unplaced = this.calls.length;
  }

  get run(): Run {
    const { calls, tests, left } = this;
    return { calls, tests, left, releases: [...this.releases].sort() };
  }

  private instance({ canton, splice }: Line<'instance'>): void {
    this.canton ??= canton;
    this.splice ??= splice;
    this.releases.add(`Canton ${canton}`);
    if (splice !== DEFAULT_SPLICE_VERSION) this.releases.add(`Splice ${splice}`);
    const spliceVersion = this.current?.splice ?? splice;
    this.router = routerOf({ apiVersion: this.current?.canton ?? canton, spliceVersion });
  }

  private call({ kind: _, test, ...call }: Line<'call'>, length: number): void {
    // Controls are Canticle's, not the release's.
    if (call.api === 'control') return;
    const characters = this.characters + length;
    if (this.calls.length >= this.maxCalls || characters > this.maxCharacters) {
      this.left += 1;
      return;
    }
    this.characters = characters;
    const known = this.operationAt(call.method, call.path);
    const operation = call.operation ?? known?.operationId;
    const isUnknown =
      call.method === 'GRPC'
        ? call.status === UNIMPLEMENTED && call.error === undefined
        : call.operation === undefined && call.status === 404;
    this.calls.push({
      ...call,
      ...(operation !== undefined && { operation }),
      ...(known !== undefined && { template: apiIn(known.api).basePath + known.path }),
      ...(isUnknown && { isUnknown }),
      ...(test !== undefined && { test: { ...test, file: shortPath(test.file) } }),
    });
  }

  private placed(place: string): void {
    for (const call of this.calls.slice(this.unplaced)) call.place = place;
    this.endFile();
  }

  private operationAt(method: string, path: string): Operation | undefined {
    if (this.router === undefined || method === 'GRPC') return undefined;
    const isStream = method === 'WS';
    const url = new URL(path, 'http://localhost').href;
    return callOf(this.router, isStream ? 'GET' : method, url, isStream)?.operation;
  }
}

/** Undefined for a line that a process could not finish. */
function lineOf(text: string): ExchangeLine | undefined {
  try {
    return JSON.parse(text) as ExchangeLine;
  } catch {
    return undefined;
  }
}

const shortPath = (file: string): string =>
  file === '' ? file : relative(process.cwd(), file).replaceAll('\\', '/');
