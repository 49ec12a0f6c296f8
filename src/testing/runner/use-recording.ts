/** A recording that replaces live systems in a test file. This part is the same for jest and vitest. */
import type { Canticle } from '../../assembly/canticle.js';
import type { Replay, ReplayOrder } from '../../bridge/replay.js';
import type { ReplayServer } from '../../bridge/replay-server.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { globalRunner, type TestRunner } from './use-canticle.js';

/** Configures the answers of a recording. */
export interface UseRecordingOptions {
  /**
   * `request`, the default: answers with the next unused exchange of the same request, or else with its last one. `order`: accepts only
   * the next request of the file.
   */
  readonly by?: ReplayOrder;
  /** Answers requests that are not recorded: a listening Canticle, or the URL of a system. If undefined, the test fails. */
  readonly otherwise?: Canticle | string;
  /** Whether a test fails if it leaves exchanges unused. False by default. */
  readonly all?: boolean;
  /** Required if the hooks are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/** A recording that answers requests. */
export interface Recording {
  /** The URL that replaces all recorded systems, such as `http://127.0.0.1:40123`. Paths are those of the systems. */
  readonly url: string;
  /** Requests of this test that are not recorded, each as a sentence with the nearest recorded request. */
  readonly missed: readonly string[];
  /** Unused exchanges of this test, such as `exchange 3, GET /v2/version`. */
  readonly unused: readonly string[];
  /** Recorded answers that do not fit the schema of their operation, each as a sentence. */
  readonly unfitting: readonly string[];
  /** Clears `missed`, in a test that sends such requests on purpose. */
  forgetMissed(): void;
}

/**
 * Answers from a HAR file in the tests of this file, or of this `describe`. Each test begins with the whole recording. A test fails if it
 * sends a request that is not recorded; the error names the nearest recorded request.
 * @param file a HAR file, for example from `canticle record` or a browser
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
    const problems = [...missed, ...(all ? unused.map((each) => `unused: ${each}`) : [])];
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
      new Error('The recording is not available before beforeAll. Use it in a hook or a test.'),
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
