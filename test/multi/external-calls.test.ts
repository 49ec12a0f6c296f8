/** External calls of Daml-LF 2.4: services of participants, recorded results, and their check by confirming participants. */
import { createCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { oraclesDar as dar } from '../support/daml/oracles.js';
import { create, exercise, type JsonAnswer } from '../support/ledger-api.js';
import {
  EXECUTE_FOR_TRANSACTION,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../network/external/external-party.js';
import { startClient } from '../support/client.js';
import { LedgerApi } from '../support/ledger-api.js';

type Services = NonNullable<CanticleOptions['externalCalls']>;
let calls: string[][] = [];
const answering =
  (output: string) =>
  (...call: string[]): string => {
    calls.push(call);
    return output;
  };
beforeEach(() => {
  calls = [];
});

function network(here: Services | undefined, there?: Services, protocolVersion: 35 | 36 = 36) {
  const canticle = createCanticle({
    canton: '3.6',
    protocolVersion,
    participants: [
      { name: 'here', ...(here && { externalCalls: here }) },
      { name: 'there', ...(there && { externalCalls: there }) },
    ],
    dars: [dar],
  });
  const [first, second] = canticle.participants;
  const alice = first!.allocateParty('alice');
  const bob = second!.allocateParty('bob');
  return { canticle, alice, bob };
}

let sent = 0;
const post = async (canticle: Canticle, command: object, actAs: string): Promise<JsonAnswer> => {
  const commands = { commands: [command], commandId: `c-${++sent}`, userId: 'u', actAs: [actAs] };
  const path = '/v2/commands/submit-and-wait-for-transaction';
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';
  const wildcard = {
    identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } },
  };
  const transactionFormat = {
    transactionShape,
    eventFormat: { filtersByParty: { [actAs]: { cumulative: [wildcard] } }, verbose: true },
  };
  return (await canticle.handle({ path, body: { commands, transactionFormat } })).json();
};

/** Alice owns an oracle, which she signs alone. */
async function ask(
  services: Services | undefined,
  { config = '0a', input = 'ff' }: { config?: string; input?: string } = {},
  choice = 'Ask',
): Promise<JsonAnswer> {
  const { canticle, alice } = network(services);
  const made = await post(
    canticle,
    create('#oracles:Main:Oracle', { owner: alice, other: alice }),
    alice,
  );
  const { contractId } = made.transaction.events[0].CreatedEvent;
  return post(
    canticle,
    exercise('#oracles:Main:Oracle', contractId, choice, { config, input }),
    alice,
  );
}
const resultOf = (answer: JsonAnswer) => answer.transaction.events[0].ExercisedEvent.exerciseResult;

it('returns the output of the service, which is called to submit and to confirm (R-36-075, R-36-082)', async () => {
  expect(resultOf(await ask({ prices: answering('c0ffee') }))).toBe('c0ffee');
  expect(calls).toEqual([
    ['latest', '0a', 'ff'],
    ['latest', '0a', 'ff'],
  ]);
});

const FAILED = 'INTERPRETATION_EXTERNAL_CALL_ERROR';
const START = 'Interpretation error: Error: External call';
test.each<[string, Services | undefined, object, string, string]>([
  [
    'without services (R-36-079)',
    undefined,
    {},
    'EXECUTION_FAILED',
    'execution failed (extensionId=prices, functionId=latest): call failed: External calls not supported',
  ],
  [
    'of an unknown extension (R-36-079)',
    { other: answering('00') },
    {},
    'EXECUTION_FAILED',
    `execution failed (extensionId=prices, functionId=latest): call failed: ExtensionCallError(status code = 404, message = "Extension 'prices' not configured", retryable = false, trace id = tid:TRACE)`,
  ],
  [
    'of a service that throws (R-36-078)',
    {
      prices: () => {
        throw new Error('no');
      },
    },
    {},
    'EXECUTION_FAILED',
    'execution failed (extensionId=prices, functionId=latest): call failed: External call failed (retryable = false, trace id = "TRACE")',
  ],
  [
    'with an output that is not hexadecimal (R-36-078)',
    { prices: answering('C0') },
    {},
    'INVALID_OUTPUT',
    'execution failed (extensionId=prices, functionId=latest): invalid output: Invalid external call output: expected canonical lowercase hex',
  ],
  [
    'with an input that is not hexadecimal (R-36-077)',
    { prices: answering('00') },
    { input: 'f' },
    'PREPARATION_FAILED',
    'preparation failed (extensionId=prices, functionId=latest): Invalid external call config or input: expected canonical lowercase hex',
  ],
  [
    'with a config in upper case (R-36-077)',
    { prices: answering('00') },
    { config: 'AA' },
    'PREPARATION_FAILED',
    'preparation failed (extensionId=prices, functionId=latest): Invalid external call config or input: expected canonical lowercase hex',
  ],
])('a call fails %s', async (_what, services, argument, code, cause) => {
  const refusal = await ask(services, argument);
  expect(refusal.code).toBe(`${FAILED}_${code}`);
  const withoutId = refusal.cause.replace(/'?\b[0-9a-f]{32}\b'?/, (id: string) =>
    id.startsWith("'") ? '"TRACE"' : 'TRACE',
  );
  expect(withoutId).toBe(`${START} ${cause}`);
});

describe('a call by another participant, which the signatory confirms', () => {
  /** Bob calls at `there`, and Alice's participant `here` confirms. */
  async function confirmed(here: Services | undefined): Promise<JsonAnswer> {
    const { canticle, alice, bob } = network(here, { prices: answering('01') });
    const made = await post(
      canticle,
      create('#oracles:Main:Oracle', { owner: alice, other: bob }),
      alice,
    );
    const { contractId } = made.transaction.events[0].CreatedEvent;
    const body = {
      commands: [
        exercise('#oracles:Main:Oracle', contractId, 'Ask', { config: '0a', input: 'ff' }),
      ],
      commandId: 'asked',
      userId: 'u',
      actAs: [bob],
    };
    const path = '/participants/there/v2/commands/submit-and-wait';
    return (await canticle.handle({ path, body })).json();
  }

  it('succeeds if both services agree (R-36-082)', async () => {
    expect(await confirmed({ prices: answering('01') })).toHaveProperty('updateId');
    expect(calls).toHaveLength(3);
  });

  it('is rejected if they disagree (R-36-081, R-36-082)', async () => {
    expect(await confirmed({ prices: answering('02') })).toMatchObject({
      code: 'LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT',
      cause:
        'Rejected transaction due to inconsistent external call results: Inconsistency(extensionId = prices, functionId = latest, config = 1 bytes, input = 1 bytes, outputByteSizes = Seq(1, 1))',
    });
  });

  test.each<[string, Services | undefined, string]>([
    ['has no services', undefined, 'extension service is not configured'],
    [
      'has other services',
      { other: answering('01') },
      'external-call validation failed with status 404',
    ],
    [
      'gets no hexadecimal text',
      { prices: answering('x') },
      'external-call validation returned non-canonical output',
    ],
  ])('is not confirmed if the other participant %s (R-36-082)', async (_what, here, reason) => {
    expect(await confirmed(here)).toMatchObject({
      code: 'CANNOT_PERFORM_ALL_VALIDATIONS',
      cause: `Cannot perform all validations: ${reason}`,
    });
  });
});

describe('several calls in one transaction', () => {
  const ORACLES = '#oracles:Main:Oracle';

  /** The oracles of each owner, which Bob at `there` asks. */
  async function oracles(here: Services, there: Services, ...owners: ('alice' | 'bob')[]) {
    const { canticle, alice, bob } = network(here, there);
    const [first, second] = canticle.participants;
    const made = owners.map((owner) =>
      owner === 'alice'
        ? first!.create(ORACLES, { owner: alice, other: bob }, { actAs: [alice] })
        : second!.create(ORACLES, { owner: bob, other: bob }, { actAs: [bob] }),
    );
    const bobs = (commands: readonly object[]) =>
      canticle.handle({
        path: '/participants/there/v2/commands/submit-and-wait',
        body: { commands, commandId: `c-${++sent}`, userId: 'u', actAs: [bob] },
      });
    const asking = (oracle: number, config = '0a') =>
      exercise(ORACLES, made[oracle]!, 'Ask', { config, input: 'ff' });
    const plain = () => create(ORACLES, { owner: bob, other: bob });
    const greeting = () => exercise(ORACLES, made[0]!, 'Greet', { config: '', input: 'good day' });
    const submit = async (...commands: readonly object[]): Promise<JsonAnswer> =>
      (await bobs(commands)).json();
    return { canticle, submit, asking, plain, greeting };
  }

  it('may have other actions among them', async () => {
    const services = { prices: answering('01') };
    const { submit, asking, plain, greeting } = await oracles(services, services, 'bob');
    expect(await submit(plain(), asking(0), greeting())).toHaveProperty('updateId');
    // To submit, and to confirm.
    expect(calls).toHaveLength(2);
  });

  it('must agree on the output of the same call (R-36-081)', async () => {
    const outputs = ['0202', '01'];
    const prices = () => outputs.shift() ?? '0202';
    const { submit, asking } = await oracles({ prices }, { prices }, 'bob');
    expect(await submit(asking(0), asking(0))).toMatchObject({
      code: 'LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT',
      cause: expect.stringContaining('outputByteSizes = Seq(1, 2))'),
    });
  });

  it('a disagreement inside the transaction comes before those with a service', async () => {
    const outputs = ['01', '02', '03'];
    const prices = () => outputs.shift() ?? 'ffffff';
    const { submit, asking } = await oracles({ prices }, { prices }, 'bob');
    const { cause } = await submit(asking(0, '0a'), asking(0, '0b0b'), asking(0, '0b0b'));
    expect(cause).toContain('config = 2 bytes');
    expect(cause).toContain('outputByteSizes = Seq(1, 1))');
  });

  it('the error names the first call in the order of configs, not of commands', async () => {
    const { submit, asking } = await oracles(
      { prices: answering('02') },
      { prices: answering('01') },
      'alice',
    );
    for (const configs of [
      ['0a', '0b0b'],
      ['0b0b', '0a'],
    ]) {
      const { cause } = await submit(...configs.map((config) => asking(0, config)));
      expect(cause).toContain('config = 1 bytes');
    }
  });

  it('a participant repeats a call if it confirms one of the exercises (R-36-082)', async () => {
    const there = { prices: answering('01') };
    const here = { prices: answering('02') };
    const { submit, asking } = await oracles(here, there, 'alice', 'bob');
    expect(await submit(asking(1))).toHaveProperty('updateId');
    expect(await submit(asking(1), asking(0))).toMatchObject({
      code: 'LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT',
    });
  });

  it('a trace answers them from the recorded results', async () => {
    const services = { prices: (_: string, config: string) => config };
    const { canticle, submit, asking } = await oracles(services, services, 'bob');
    const { updateId } = await submit(asking(0, '0a'), asking(0, '0b'));
    expect(canticle.trace(updateId).retraced).toBe(true);
  });
});

describe('the same call again below a command', () => {
  const CONFLICT = `InvalidTransactionViewError(
  externalCallResults records conflicting outputs for the same external call: ExternalCallKey(extension id = "prices", function id = "latest", config bytes = "1 bytes", input bytes = "2 bytes") with outputs [1 bytes, 2 bytes]
)`;
  const CALL = { config: '0a', input: 'ffff' };

  /** A service with other outputs each time. */
  function fickle() {
    const outputs = ['0202', '01'];
    return (...call: string[]): string => {
      calls.push(call);
      return outputs[(calls.length - 1) % 2]!;
    };
  }

  it('is accepted with the same output', async () => {
    expect(resultOf(await ask({ prices: answering('01') }, CALL, 'Twice'))).toBe('01');
    // Two to submit, and one to confirm.
    expect(calls).toHaveLength(3);
  });

  it('is not sent to the confirming participants with another one (B-CMD-074)', async () => {
    const answer = await ask({ prices: fickle() }, CALL, 'Twice');
    expect(answer).toMatchObject({
      code: 'MALFORMED_REQUEST',
      cause: 'Malformed request',
      context: {
        message: 'Transaction confirmation request creation failed',
        reason: CONFLICT,
        psid: expect.stringMatching(/^global-domain::1220[0-9a-f]{8}\.\.\.::36-0$/),
      },
    });
    expect(calls).toHaveLength(2);
  });

  /** Dora prepares `Twice`, and signs it. */
  async function prepared(options: Partial<CanticleOptions>, more: object = {}) {
    const client = await startClient({
      apiVersion: '3.6',
      protocolVersion: 36,
      dars: [dar],
      externalCalls: { prices: fickle() },
      ...options,
    } as Parameters<typeof startClient>[0]);
    const api = new LedgerApi(client);
    const dora = await onboard(api, 'dora');
    const V4 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V4', ...more };
    const oracle = create('#oracles:Main:Oracle', { owner: dora.party, other: dora.party });
    const made = await api.ok(PREPARE, preparation(oracle, dora.party, V4));
    const { transaction } = await api.ok(EXECUTE_FOR_TRANSACTION, execution(made, dora));
    const { contractId } = transaction.events[0].CreatedEvent;
    const command = exercise('#oracles:Main:Oracle', contractId, 'Twice', CALL);
    const answer = await api.post(PREPARE, preparation(command, dora.party, V4));
    return { client, api, dora, answer };
  }

  it('is found in a prepared transaction when it is executed (B-CMD-074)', async () => {
    const { client, api, dora, answer } = await prepared({});
    expect(answer.status).toBe(200);
    const executed = await api.post(EXECUTE_FOR_TRANSACTION, execution(answer.body, dora));
    expect(executed.body).toMatchObject({
      code: 'MALFORMED_REQUEST',
      context: { reason: CONFLICT },
    });
    expect(calls).toHaveLength(2);
    await client.close();
  });

  it('cannot be prepared if its costs are estimated (B-CMD-074)', async () => {
    const { client, answer } = await prepared({ trafficControl: true });
    expect(answer.body).toMatchObject({
      code: 'FAILED_TO_PREPARE_TRANSACTION',
      cause: expect.stringContaining(`failed to prepare the transaction: ${CONFLICT}`),
    });
    await client.close();
    const disabled = { estimateTrafficCost: { disabled: true, expectedSignatures: [] } };
    const unestimated = await prepared({ trafficControl: true }, disabled);
    expect(unestimated.answer.status).toBe(200);
    await unestimated.client.close();
  });
});

describe('an external party', () => {
  it('signs the results of calls with scheme V4, and execution replays them (R-36-080)', async () => {
    let output = '0101';
    const prices = (...call: string[]): string => {
      calls.push(call);
      return output;
    };
    const options = { apiVersion: '3.6', protocolVersion: 36, dars: [dar] } as const;
    const client = await startClient({ ...options, externalCalls: { prices } });
    const api = new LedgerApi(client);
    const dora = await onboard(api, 'dora');
    const V4 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V4' };
    const made = await api.ok(
      PREPARE,
      preparation(
        create('#oracles:Main:Oracle', { owner: dora.party, other: dora.party }),
        dora.party,
        V4,
      ),
    );
    const { transaction } = await api.ok(EXECUTE_FOR_TRANSACTION, execution(made, dora));
    const { contractId } = transaction.events[0].CreatedEvent;
    const command = exercise('#oracles:Main:Oracle', contractId, 'Ask', { config: '', input: '' });
    const old = await api.post(PREPARE, preparation(command, dora.party));
    expect(old.body.cause).toContain('using hashing scheme V2. Please use hashing scheme V4');
    const asking = await api.ok(PREPARE, preparation(command, dora.party, V4));
    expect((await api.post(EXECUTE_FOR_TRANSACTION, execution(asking, dora))).status).toBe(200);
    const again = await api.ok(PREPARE, preparation(command, dora.party, V4));
    output = '02';
    const { status, body } = await api.post(EXECUTE_FOR_TRANSACTION, execution(again, dora));
    expect([status, body.code]).toEqual([400, 'LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT']);
    expect(body.cause).toBe(
      'Rejected transaction due to inconsistent external call results: Inconsistency(extensionId = prices, functionId = latest, config = 0 bytes, input = 0 bytes, outputByteSizes = Seq(1, 2))',
    );
    await client.close();
  });
});

it('needs protocol version 36', async () => {
  const { canticle, alice } = network({ prices: answering('01') }, undefined, 35);
  const made = await post(
    canticle,
    create('#oracles:Main:Oracle', { owner: alice, other: alice }),
    alice,
  );
  expect(made.code).toBe('ALLOWED_LANGUAGE_VERSIONS');
});
