/**
 * The recovery of a published client, `@canton-network/core-ledger-client`, under faults: those that `postWithRetry` survives and
 * those that it does not, each as a rule to replay. It retries errors with one of its keys, or any error without keys.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LedgerClient } from '@canton-network/core-ledger-client';
import type { FaultAction } from 'canticle';
import { model } from '../support/daml/model-package.js';
import { replay } from '../support/survival/replay.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';

type Options = ConstructorParameters<typeof LedgerClient>[0];
const theirs = createRequire(
  join(process.cwd(), 'node_modules/@canton-network/core-ledger-client/package.json'),
);
const pino = theirs('pino') as (options: { level: string }) => Options['logger'];
const accessTokenProvider = {
  getAccessToken: () => Promise.resolve(''),
  getAuthContext: () => Promise.resolve({ userId: 'tester', accessToken: '' }),
} as Options['accessTokenProvider'];

const api = useLedgerApi({ seed: 6 });
const { canticle } = api;
const [alice] = useParties(api, 'alice');
const DUMMY = model('Dummy');
const PATH = '/v2/commands/submit-and-wait';

let client: LedgerClient;
beforeAll(async () => {
  const baseUrl = new URL(canticle.urls.ledgerApi);
  const logger = pino({ level: 'silent' });
  client = new LedgerClient({ baseUrl, logger, accessTokenProvider });
  await client.init();
});

interface Ended {
  /** The result for its caller. */
  readonly result: 'done' | 'failed';
  /** How often it took effect. */
  readonly effects: number;
}

async function underFault(action: FaultAction, cantonErrorKeys: string[]): Promise<Ended> {
  canticle.faults.add({ on: 'postV2CommandsSubmit-and-wait', when: { nth: 1 }, do: action });
  return pay('pay', cantonErrorKeys);
}

async function pay(commandId: string, cantonErrorKeys: string[]): Promise<Ended> {
  const command = { CreateCommand: { templateId: DUMMY, createArguments: { operator: alice } } };
  const body = { commands: [command], commandId, userId: 'tester', actAs: [alice] };
  const retries = { retries: 3, delayMs: 1, cantonErrorKeys };
  const result = await client.postWithRetry(PATH, body as never, retries).then(
    () => 'done' as const,
    () => 'failed' as const,
  );
  return { result, effects: canticle.participant.activeContracts({ template: DUMMY }).length };
}

const DEFAULT_KEYS = ['SEQUENCER_REQUEST_FAILED', 'NOT_SEQUENCED_TIMEOUT'];
const DONE: Ended = { result: 'done', effects: 1 };
/** The caller gets the real result, and may retry. */
const NOTHING: Ended = { result: 'failed', effects: 0 };
/** The caller gets a failure, although it took effect: a retry with another command id would do it twice. */
const UNREPORTED: Ended = { result: 'failed', effects: 1 };

describe.each([
  ['with its default keys of retryable errors', DEFAULT_KEYS],
  ['with an empty list of keys, which retries all errors', []],
])('%s', (_, keys) => {
  it.each<[FaultAction, Ended]>([
    [{ delay: 2 }, DONE],
    [{ slow: 3, pause: 1 }, DONE],
    // It expects `message` and `details`, which no error of the JSON Ledger API has: so it never retries, with any keys.
    [{ reject: 'NOT_SEQUENCED_TIMEOUT' }, NOTHING],
    [{ refuse: 'PARTICIPANT_BACKPRESSURE' }, NOTHING],
    [{ refuse: 429 }, NOTHING],
    [{ lose: 'request' }, NOTHING],
    [{ lose: 'answer' }, UNREPORTED],
    [{ lose: 'answer', as: 504 }, UNREPORTED],
    [{ truncate: 0.5 }, UNREPORTED],
    [{ repeat: 1 }, UNREPORTED],
  ])('%j: %j', async (action, ended) => {
    expect(await underFault(action, keys)).toEqual(ended);
    const requests = canticle.requests.list({ operation: 'postV2CommandsSubmit-and-wait' });
    expect(requests).toHaveLength('repeat' in action ? 2 : 1);
  });
});

it('executes a command twice if the client retries with another command id after a lost answer', async () => {
  replay(canticle, 'submit-answer-lost');
  expect(await pay('first', DEFAULT_KEYS)).toEqual(UNREPORTED);
  expect(await pay('second', DEFAULT_KEYS)).toEqual({ result: 'done', effects: 2 });
});
