/** A recording that answers in place of live systems, for a test file: what is the same under jest and vitest. */
import type { Canticle } from '../../assembly/canticle.js';
import type { Replay, ReplayOrder } from '../../bridge/replay.js';
import type { ReplayServer } from '../../bridge/replay-server.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { globalRunner, type TestRunner } from './use-canticle.js';

/** How a recording answers. */
export interface UseRecordingOptions {
  /**
   * `request`, the default: whichever exchange is of that request, the next unused one first, and the last one again. `order`: the
   * next of the file and no other.
   */
  readonly by?: ReplayOrder;
  /** What answers where the recording does not: a Canticle that listens, or the address of a system. Without it such a test fails. */
  readonly otherwise?: Canticle | string;
  /** Whether a test fails that leaves exchanges unused. False by default. */
  readonly all?: boolean;
  /** Where the hooks are no globals: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/** A recording that answers. */
export interface Recording {
  /** The address that stands for every recorded system, such as `http://127.0.0.1:40123`; paths are those of the systems. */
  readonly url: string;
  /** What was asked in this test and is not recorded, a sentence each with the nearest request. */
  readonly missed: readonly string[];
  /** Exchanges that have answered nothing in this test, such as `exchange 3, GET /v2/version`. */
  readonly unused: readonly string[];
  /** Recorded answers that do not fit the schema of their operation, a sentence each. */
  readonly unfitting: readonly string[];
  /** Takes what was missed out of account, in a test that means to ask for it. */
  forgetMissed(): void;
}

/**
 * Answers from a HAR file in the tests of this file, or of this `describe`; each test begins with the whole recording. A test that asks
 * for what is not recorded fails, with the nearest recorded request.
 * @param file such as one of `canticle record`, or of a browser
 */
export function useRecording(file: string, options: UseRecordingOptions = {}): Recording {
  const { by = 'request', otherwise, all = false, runner } = options;
  const hooks = runner ?? globalRunner();
  let replay: Replay | undefined;
  let server: ReplayServer | undefined;
  const address =
    otherwise === undefined
      ? undefined
      : () => (typeof otherwise === 'string' ? otherwise : otherwise.urls.ledgerApi);
  hooks.beforeAll(async () => {
    const { Replay } = await import('../../bridge/replay.js');
    const { openReplay } = await import('../../bridge/replay-server.js');
    replay = await Replay.open(file, by).catch((error: Error) => {
      throw withCallerStack(
        new Error(`Failed to read ${file}: ${error.message}`, { cause: error }),
      );
    });
    server = await openReplay(replay, { host: '127.0.0.1', port: 0, otherwise: address });
  });
  hooks.beforeEach(() => replay?.rewind());
  hooks.afterEach(() => {
    const { missed = [], unused = [] } = replay ?? {};
    const problems = [...missed, ...(all ? unused.map((each) => `not used: ${each}`) : [])];
    replay?.rewind();
    if (problems.length > 0)
      throw withCallerStack(new Error(`Failed to answer from ${file}:\n${problems.join('\n')}`));
  });
  hooks.afterAll(async () => {
    await server?.close();
    replay?.close();
  });
  const there = (): Replay => {
    if (replay !== undefined) return replay;
    throw withCallerStack(
      new Error('Failed to tell of a recording: it answers from the first beforeAll on.'),
    );
  };
  return {
    get url() {
      there();
      return `http://127.0.0.1:${server!.port}`;
    },
    get missed() {
      return there().missed;
    },
    get unused() {
      return there().unused;
    },
    get unfitting() {
      return there().unfitting;
    },
    forgetMissed: () => there().forgetMissed(),
  };
}
