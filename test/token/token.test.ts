/** The built-in test token, driven as wallets drive it: ask the registry, then exercise with what it disclosed. */
import { some, type DamlRecord, Numeric } from '../../src/daml/index.js';
import { EXPIRE_LOCK_KEY, RULES_KEY } from '../../src/token/holdings/context.js';
import * as holdingV1 from '../../src/token/standard/holding-v1.js';
import * as holdingV2 from '../../src/token/standard/holding-v2.js';
import { AnyValue } from '../../src/token/standard/metadata-v1.js';
import * as v1 from '../../src/token/standard/transfer-instruction-v1.js';
import * as v2 from '../../src/token/standard/transfer-instruction-v2.js';
import { instructionContext } from '../../src/token/registry/registry.js';
import { basicAccount } from '../../src/token/holdings/conversions.js';
import { Token } from '../../src/token/holdings/token.js';
import {
  ADMIN,
  ALICE,
  BOB,
  CAROL,
  HOUR,
  INSTRUMENT,
  TokenWorld,
  expectOk,
  extraArgs,
} from './token-world.js';

const PREFIX = 'splice.lfdecentralizedtrust.org/';
let world: TokenWorld;
beforeEach(() => {
  world = new TokenWorld();
});

const refusal = (code: string, text?: string) =>
  expect.objectContaining({
    message: expect.stringMatching(new RegExp(`^(${code}): [^]*${text ?? ''}`)) as string,
  });
const caught = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Expected a refusal');
};

describe('holdings', () => {
  test('are minted by the admin and the receiver together, who sign them', () => {
    const token = world.mint(ALICE, '10');
    expect(world.active.get(token)?.signatories).toEqual([ADMIN, ALICE].sort());
    expect(world.balance(ALICE)).toBe('10');
    const argument = {
      instrumentId: 'Gold',
      receiver: BOB,
      amount: Numeric.of('1'),
      lock: null,
      meta: { values: new Map() },
    };
    expect(
      caught(() =>
        world.exercise(
          [ADMIN],
          { id: world.active.get(world.rules)!.templateId },
          world.rules,
          'TokenRules_Mint',
          argument,
        ),
      ),
    ).toEqual(refusal('DAML_AUTHORIZATION_ERROR'));
  });

  test('have the same view in both versions of the standard (D-V2-005, D-V2-010)', () => {
    const token = world.mint(ALICE, '10');
    expect(world.view(holdingV1.Holding, token)).toMatchObject({
      owner: ALICE,
      instrumentId: INSTRUMENT,
      lock: null,
    });
    expect(world.view(holdingV2.Holding, token)).toMatchObject({
      account: { owner: some(ALICE), provider: null, id: '' },
      instrumentId: INSTRUMENT,
    });
  });

  test('have a positive amount', () => {
    expect(caught(() => world.mint(ALICE, '0'))).toEqual(refusal('TEMPLATE_PRECONDITION_VIOLATED'));
  });
});

describe('a transfer to the sender', () => {
  test('splits a holding: Completed, with the rest as change (D-V1-006)', () => {
    const result = world.instruct({
      receiver: ALICE,
      amount: '4',
      inputs: [world.mint(ALICE, '10')],
    });
    expect(result.output).toMatchObject({ tag: 'TransferInstructionResult_Completed' });
    expect(result.senderChangeCids).toHaveLength(1);
    expect(result.meta.values.get(`${PREFIX}tx-kind`)).toBe('merge-split');
    expect(world.balance(ALICE)).toBe('6, 4');
  });

  test('merges holdings, and archives every input (D-V1-007)', () => {
    const inputs = [world.mint(ALICE, '1'), world.mint(ALICE, '2.5')];
    const result = world.instruct({ receiver: ALICE, amount: '3.5', inputs });
    expect(result.senderChangeCids).toEqual([]);
    expect(inputs.some((input) => world.active.has(input))).toBe(false);
    expect(world.balance(ALICE)).toBe('3.5');
  });
});

describe('a transfer to another party', () => {
  test('is an offer: Pending, with the amount locked and the change returned (D-AMU-003)', () => {
    const result = world.instruct({ amount: '4', inputs: [world.mint(ALICE, '10')] });
    expect(result.output.tag).toBe('TransferInstructionResult_Pending');
    expect(world.balance(ALICE)).toBe('6, 4 locked');
    expect(world.tokens(ALICE)[1]?.lock?.value).toMatchObject({
      holders: [ADMIN],
      context: some(`transfer to ${BOB}`),
    });
  });

  test('is visible to sender and receiver in both versions (D-V1-002, D-V2-004, D-V2-007)', () => {
    const executeBefore = world.now + HOUR;
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], executeBefore });
    const { signatories, observers } = world.active.get(offer)!;
    expect([signatories, observers]).toEqual([[ADMIN, ALICE].sort(), [BOB]]);
    expect(world.view(v1.TransferInstruction, offer)).toMatchObject({
      originalInstructionCid: null,
      status: { tag: 'TransferPendingReceiverAcceptance', value: {} },
      transfer: { sender: ALICE, receiver: BOB },
      meta: { values: new Map([['cip-112/expiresAt', executeBefore.toString()]]) },
    });
    const { availableActions, expiresAt } = world.view(v2.TransferInstruction, offer);
    expect(expiresAt).toEqual(some(executeBefore));
    expect(
      (availableActions as [{ tag: string }, unknown][]).map(([{ tag }, groups]) => [tag, groups]),
    ).toEqual([
      ['TIA_Accept', [[BOB]]],
      ['TIA_Reject', [[BOB]]],
      ['TIA_Withdraw', [[ALICE]]],
    ]);
  });

  test('completes when the receiver accepts (D-TT-004)', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], reason: 'rent' });
    const { result } = world.step('accept', BOB, offer);
    expect(result).toMatchObject({
      output: { tag: 'TransferInstructionResult_Completed' },
      senderChangeCids: [],
    });
    expect((result as unknown as v1.TransferInstructionResult).meta.values).toEqual(
      new Map([
        [`${PREFIX}reason`, 'rent'],
        [`${PREFIX}sender`, ALICE],
        [`${PREFIX}tx-kind`, 'transfer'],
      ]),
    );
    expect([world.balance(ALICE), world.balance(BOB), world.active.has(offer)]).toEqual([
      '',
      '10',
      false,
    ]);
  });

  test.each([
    ['reject', BOB],
    ['withdraw', ALICE],
  ] as const)(
    'returns the amount on %s: Failed, with the holding as change (D-AMU-007)',
    (step, actor) => {
      const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
      const { result } = world.step(step, actor, offer);
      expect(result).toMatchObject({ output: { tag: 'TransferInstructionResult_Failed' } });
      expect((result as unknown as v1.TransferInstructionResult).senderChangeCids).toHaveLength(1);
      expect([world.balance(ALICE), world.balance(BOB), world.active.has(offer)]).toEqual([
        '10',
        '',
        false,
      ]);
    },
  );

  test('expires: accept fails from executeBefore on, and the sender can still withdraw (D-AMU-006)', () => {
    const executeBefore = world.now + HOUR;
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], executeBefore });
    world.now = executeBefore;
    expect(caught(() => world.step('accept', BOB, offer))).toEqual(
      refusal('DAML_FAILURE', 'expired'),
    );
    world.step('withdraw', ALICE, offer);
    expect(world.balance(ALICE)).toBe('10');
  });

  test('the sender can spend the token after its lock expires, and then the offer can only be withdrawn or rejected (D-AMU-008)', () => {
    const executeBefore = world.now + HOUR;
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], executeBefore });
    const { lockedToken } = world.active.get(offer)!.payload as { lockedToken: string };
    expect(caught(() => world.instruct({ receiver: ALICE, inputs: [lockedToken] }))).toEqual(
      refusal('DAML_FAILURE', 'locked'),
    );
    world.now = executeBefore;
    world.instruct({ receiver: ALICE, inputs: [lockedToken] });
    expect(instructionContext(world.registry, offer, 'accept')).toMatchObject({
      ok: false,
      refusal: { kind: 'not-found' },
    });
    const { result } = world.step('withdraw', ALICE, offer);
    expect(result).toMatchObject({
      output: { tag: 'TransferInstructionResult_Failed' },
      senderChangeCids: [],
    });
    expect(world.balance(ALICE)).toBe('10');
  });

  test('a client that sets expire-lock too early is rejected', () => {
    const executeBefore = world.now + HOUR;
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], executeBefore });
    const { context, disclosed } = expectOk(instructionContext(world.registry, offer, 'withdraw'));
    const values = new Map([
      ...context.values,
      [EXPIRE_LOCK_KEY, AnyValue.of('AV_Bool', false)] as const,
    ]);
    const claim = () => world.step('withdraw', ALICE, offer, { context: { values }, disclosed });
    world.now = executeBefore - 1n;
    expect(caught(claim)).toEqual(refusal('DAML_FAILURE', 'not expired'));
    world.now = executeBefore;
    expect(claim().result).toMatchObject({ senderChangeCids: [] });
  });

  test('other parties may not exercise its choices', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    expect(caught(() => world.step('accept', ALICE, offer))).toEqual(
      refusal('DAML_AUTHORIZATION_ERROR'),
    );
    expect(caught(() => world.step('withdraw', BOB, offer))).toEqual(
      refusal('DAML_AUTHORIZATION_ERROR'),
    );
    expect(caught(() => world.step('accept', CAROL, offer))).toEqual(refusal('CONTRACT_NOT_FOUND'));
  });

  test('Update always fails (D-AMU-007)', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const argument = { extraActors: [], extraArgs: extraArgs({ values: new Map() }) };
    expect(
      caught(() =>
        world.exercise(
          [ADMIN],
          v1.TransferInstruction,
          offer,
          'TransferInstruction_Update',
          argument,
        ),
      ),
    ).toEqual(refusal('DAML_FAILURE', 'TransferInstruction_Update'));
  });
});

describe('version 2', () => {
  test('offers and accepts like version 1', () => {
    const { output } = world.instructV2({ inputs: [world.mint(ALICE, '10')] });
    if (output.tag !== 'TransferInstructionResult_Pending') throw new Error('Expected an offer');
    const node = world.stepV2('accept', [BOB], output.value.transferInstructionCid);
    expect(node.consuming).toBe(false);
    expect(node.result).toMatchObject({ output: { tag: 'TransferInstructionResult_Completed' } });
    expect([world.balance(ALICE), world.balance(BOB)]).toEqual(['', '10']);
    expect(world.active.has(output.value.transferInstructionCid)).toBe(false);
  });

  test('an offer of one version can be rejected through the other (D-V2-010)', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    world.stepV2('reject', [BOB], offer);
    expect(world.balance(ALICE)).toBe('10');
  });

  test('actors must include the whole group of the account (D-V2-001)', () => {
    const inputs = [world.mint(ALICE, '10')];
    expect(caught(() => world.instructV2({ inputs }, [ADMIN]))).toEqual(
      refusal('DAML_FAILURE', 'among its actors'),
    );
    const offer = world.offer({ inputs });
    expect(caught(() => world.stepV2('accept', [ALICE], offer))).toEqual(
      refusal('DAML_FAILURE', 'among its actors'),
    );
  });
});

describe('holdings changes are logged on the rules (D-V2-011)', () => {
  const logged = (instruction: string, step: 'accept' | 'reject', actor: string) => {
    const { disclosed, context } = expectOk(instructionContext(world.registry, instruction, step));
    const argument = { extraArgs: extraArgs(context) };
    const choice = step === 'accept' ? 'TransferInstruction_Accept' : 'TransferInstruction_Reject';
    const { nodes } = world.submit(
      [actor],
      [
        {
          kind: 'exercise',
          templateId: v1.TransferInstruction.id,
          contractId: instruction,
          choice,
          argument,
        },
      ],
      disclosed.map(({ contract }) => contract),
    );
    return nodes.flatMap((node) =>
      node.kind === 'exercise' && node.choice === 'EventLog_HoldingsChange'
        ? [node.argument as DamlRecord]
        : [],
    );
  };

  test('once for each account', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const events = logged(offer, 'accept', BOB);
    expect(events.map(({ observers }) => observers)).toEqual([[ALICE], [BOB]]);
    expect(
      events.map(({ inputHoldingCids, outputHoldingCids, transferLegSides }) =>
        [inputHoldingCids, outputHoldingCids, transferLegSides].map(
          (list) => (list as unknown[]).length,
        ),
      ),
    ).toEqual([
      [1, 0, 1],
      [0, 1, 1],
    ]);
    expect(events[0]?.transferLegSides).toMatchObject([
      { side: 'SenderSide', otherside: { owner: some(BOB) } },
    ]);
  });

  test('for the start of a transfer, with the locked token and the change', () => {
    const { node } = world.instruct({ inputs: [world.mint(ALICE, '10')] });
    const { updates } = world.network;
    const update = updates.at(updates.length - 1)!;
    const { nodes } = (update as Extract<typeof update, { kind: 'transaction' }>).transaction;
    const events = nodes.flatMap((each) =>
      each.kind === 'exercise' && each.choice === 'EventLog_HoldingsChange' ? [each] : [],
    );
    expect(events.map(({ argument }) => argument)).toMatchObject([
      { observers: [ALICE], transferLegSides: [] },
    ]);
    expect(events[0]!.parent).toBe(node.nodeId);
  });

  test('without legs if no other party receives tokens', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    expect(logged(offer, 'reject', BOB)).toMatchObject([
      { observers: [ALICE], transferLegSides: [] },
    ]);
  });
});

describe('the factory rejects', () => {
  test.each<[string, (world: TokenWorld) => unknown, string]>([
    ['an empty list of inputs', (w) => w.instruct({ inputs: [] }), 'At least one input'],
    [
      'an amount of zero',
      (w) => w.instruct({ amount: '0', inputs: [w.mint(ALICE, '1')] }),
      'must be positive',
    ],
    [
      'an amount larger than the inputs',
      (w) => w.instruct({ amount: '2', inputs: [w.mint(ALICE, '1')] }),
      'Insufficient funds',
    ],
    [
      'a request from the future',
      (w) =>
        w.instruct({
          inputs: [w.mint(ALICE, '10')],
          requestedAt: w.now + HOUR,
          executeBefore: w.now + 2n * HOUR,
        }),
      'requestedAt',
    ],
    [
      'a past deadline',
      (w) => w.instruct({ inputs: [w.mint(ALICE, '10')], executeBefore: w.now }),
      'executeBefore',
    ],
    [
      'another instrument than that of the inputs',
      (w) => w.instruct({ inputs: [w.mint(ALICE, '10', { instrument: 'Silver' })] }),
      'instrument',
    ],
    [
      'an instrument of another admin',
      (w) =>
        w.instruct({ inputs: [w.mint(ALICE, '10')], instrumentId: { admin: CAROL, id: 'Gold' } }),
      'Instrument admin',
    ],
  ])('%s', (_what, instruct, message) => {
    expect(caught(() => instruct(world))).toEqual(refusal('DAML_FAILURE', message));
  });

  test("another party's holding", () => {
    const [bobs, alices] = [world.mint(BOB, '10'), world.mint(ALICE, '10')];
    const rules = world.active.get(world.rules)!;
    const transfer = world.transferV1({ inputs: [alices, bobs], amount: '20' });
    const context = { values: new Map([[RULES_KEY, AnyValue.of('AV_ContractId', world.rules)]]) };
    const argument = {
      expectedAdmin: ADMIN,
      transfer,
      extraArgs: extraArgs(context),
    } as unknown as DamlRecord;
    const instruct = (disclosed: readonly string[]) =>
      world.exercise(
        [ALICE],
        v1.TransferFactory,
        world.rules,
        'TransferFactory_Transfer',
        argument,
        [rules, ...disclosed.map((id) => world.active.get(id)!)],
      );
    expect(caught(() => instruct([]))).toEqual(refusal('CONTRACT_NOT_FOUND'));
    expect(caught(() => instruct([bobs]))).toEqual(refusal('DAML_FAILURE', 'owned by'));
  });

  test('accounts that are not basic, on either side', () => {
    const { sender, receiver, ...rest } = world.transferV1({ inputs: [world.mint(ALICE, '10')] });
    const [from, to] = [basicAccount(sender), basicAccount(receiver)];
    const instruct = (transfer: object) => {
      const context = { values: new Map([[RULES_KEY, AnyValue.of('AV_ContractId', world.rules)]]) };
      const argument = { transfer, actors: [ALICE], extraArgs: extraArgs(context) };
      const rules = world.active.get(world.rules)!;
      return caught(() =>
        world.exercise(
          [ALICE],
          v2.TransferFactory,
          world.rules,
          'TransferFactory_Transfer',
          argument as unknown as DamlRecord,
          [rules],
        ),
      );
    };
    const savings = { id: 'savings' };
    expect(instruct({ ...rest, sender: { ...from, ...savings }, receiver: to })).toEqual(
      refusal('DAML_FAILURE', "Expected a basic account for field 'sender'"),
    );
    expect(instruct({ ...rest, sender: from, receiver: { ...to, ...savings } })).toEqual(
      refusal('DAML_FAILURE', "Expected a basic account for field 'receiver'"),
    );
  });

  test('a client that expects another admin (D-V1-001)', () => {
    const transfer = world.transferV1({ inputs: [world.mint(ALICE, '10')] });
    const context = { values: new Map([[RULES_KEY, AnyValue.of('AV_ContractId', world.rules)]]) };
    const argument = {
      expectedAdmin: CAROL,
      transfer,
      extraArgs: extraArgs(context),
    } as unknown as DamlRecord;
    const rules = world.active.get(world.rules)!;
    expect(
      caught(() =>
        world.exercise(
          [ALICE],
          v1.TransferFactory,
          world.rules,
          'TransferFactory_Transfer',
          argument,
          [rules],
        ),
      ),
    ).toEqual(refusal('DAML_FAILURE', 'Expected admin'));
  });

  test('a locked input, until its lock expires', () => {
    const lock = some({
      holders: [CAROL],
      expiresAt: null,
      expiresAfter: some({ microseconds: HOUR }),
      context: null,
    });
    const token = world.mint(ALICE, '10', { lock });
    const { lockedAt } = world.active.get(token)!.payload as { lockedAt: { value: bigint } };
    for (const time of [world.now, lockedAt.value + HOUR - 1n]) {
      world.now = time;
      expect(caught(() => world.instruct({ inputs: [token] }))).toEqual(
        refusal('DAML_FAILURE', 'locked'),
      );
    }
    // A refused submission takes no time, and one that is accepted the next moment.
    world.now = lockedAt.value + HOUR;
    world.offer({ inputs: [token] });
    expect(world.balance(ALICE)).toBe('10 locked');
  });

  test('the same input twice, and spent inputs', () => {
    const token = world.mint(ALICE, '10');
    expect(caught(() => world.instruct({ inputs: [token, token] }))).toEqual(
      refusal('CONTRACT_NOT_ACTIVE'),
    );
    world.instruct({ inputs: [token] });
    expect(caught(() => world.instruct({ inputs: [token] }))).toEqual(
      refusal('CONTRACT_NOT_FOUND'),
    );
  });
});

describe('a choice requires the context', () => {
  test('and the error names a missing key (D-AMU-016)', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const { disclosed } = expectOk(instructionContext(world.registry, offer, 'reject'));
    expect(
      caught(() => world.step('reject', BOB, offer, { context: { values: new Map() }, disclosed })),
    ).toEqual(refusal('DAML_FAILURE', `Missing context entry for: ${RULES_KEY}`));
  });

  test('and the disclosed contracts, because the receiver sees neither rules nor token without them', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const answer = expectOk(instructionContext(world.registry, offer, 'reject'));
    expect(answer.disclosed.map(({ contract }) => contract.templateId.split(':').at(-1))).toEqual([
      'TokenRules',
      'Token',
    ]);
    for (const [index] of answer.disclosed.entries())
      expect(
        caught(() =>
          world.step('reject', BOB, offer, { ...answer, disclosed: [answer.disclosed[index]!] }),
        ),
      ).toEqual(refusal('CONTRACT_NOT_FOUND'));
    world.step('reject', BOB, offer, answer);
    expect(world.balance(ALICE)).toBe('10');
  });
});

test('unlocking requires the holders until the lock expires', () => {
  const lock = some({
    holders: [CAROL],
    expiresAt: some(world.now + HOUR),
    expiresAfter: null,
    context: null,
  });
  const token = world.mint(ALICE, '10', { lock });
  const unlock = (...actors: string[]) =>
    world.exercise(actors, Token, token, 'Token_Unlock', { actors });
  expect(caught(() => unlock(ALICE))).toEqual(refusal('DAML_FAILURE', CAROL));
  unlock(ALICE, CAROL);
  expect(world.balance(ALICE)).toBe('10');
});
