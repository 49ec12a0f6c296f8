/** The answers of the test token's registry. token.test.ts shows that they work on the ledger. */
import { RULES_KEY, EXPIRE_LOCK_KEY } from '../../src/token/holdings/context.js';
import { basicAccount } from '../../src/token/holdings/conversions.js';
import { instruments, registryInfo } from '../../src/token/registry/instruments.js';
import {
  instructionContext,
  transferFactoryV1,
  transferFactoryV2,
  type InstructionStep,
} from '../../src/token/registry/registry.js';
import { TokenRules } from '../../src/token/token-rules.js';
import { some } from '../../src/daml/index.js';
import { ADMIN, ALICE, BOB, TokenWorld, expectOk, shown } from './token-world.js';

const STEPS: readonly InstructionStep[] = ['accept', 'reject', 'withdraw'];
let world: TokenWorld;
beforeEach(() => {
  world = new TokenWorld();
});

const entries = (answer: ReturnType<typeof instructionContext>) =>
  [...expectOk(answer).context.values].map(([key, { tag, value }]) => [key, tag, value]);

test('the factory is the rules contract, which is disclosed and in the context (R-TI-001, R-TI-002)', () => {
  const answer = expectOk(
    transferFactoryV1(world.registry, { transfer: world.transferV1({ inputs: [] }) }),
  );
  expect(answer).toMatchObject({ factoryId: world.rules, transferKind: 'offer' });
  expect([...answer.context.values]).toEqual([
    [RULES_KEY, { tag: 'AV_ContractId', value: world.rules }],
  ]);
  expect(
    answer.disclosed.map(({ contract, synchronizerId }) => [contract.contractId, synchronizerId]),
  ).toEqual([[world.rules, world.network.synchronizers[0]!.id]]);
});

test('a transfer to oneself has the kind self', () => {
  const { sender, ...rest } = world.transferV1({ receiver: ALICE, inputs: [] });
  expect(transferFactoryV1(world.registry, { transfer: { ...rest, sender } })).toMatchObject({
    value: { transferKind: 'self' },
  });
  const transfer = { ...rest, sender: basicAccount(ALICE), receiver: basicAccount(ALICE) };
  expect(transferFactoryV2(world.registry, { transfer })).toMatchObject({
    value: { transferKind: 'self' },
  });
});

test('version 2 accepts only basic accounts (R-V2-002)', () => {
  const base = { ...world.transferV1({ inputs: [] }), sender: basicAccount(ALICE) };
  for (const account of [
    { ...basicAccount(BOB), provider: some(ADMIN) },
    { ...basicAccount(BOB), id: 'savings' },
    { ...basicAccount(BOB), owner: null },
  ])
    expect(
      transferFactoryV2(world.registry, { transfer: { ...base, receiver: account } }),
    ).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid', message: expect.stringContaining('transfer.receiver') as string },
    });
});

test('a factory requires the rules', () => {
  world.exercise([ADMIN], TokenRules, world.rules, 'Archive', {});
  expect(
    transferFactoryV1(world.registry, { transfer: world.transferV1({ inputs: [] }) }),
  ).toMatchObject({
    ok: false,
    refusal: { kind: 'not-found' },
  });
});

describe.each(STEPS)('the choice context of %s', (step) => {
  test('contains and discloses the rules and the locked token', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const { lockedToken } = world.active.get(offer)!.payload;
    const answer = instructionContext(world.registry, offer, step);
    expect(entries(answer)).toEqual([
      [EXPIRE_LOCK_KEY, 'AV_Bool', true],
      [RULES_KEY, 'AV_ContractId', world.rules],
    ]);
    expect(expectOk(answer).disclosed.map(({ contract }) => contract.contractId)).toEqual([
      world.rules,
      lockedToken,
    ]);
  });

  test('is not found for an unknown or archived instruction, or for another contract (R-TI-013)', () => {
    const token = world.mint(ALICE, '10');
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    world.step('withdraw', ALICE, offer);
    for (const id of ['00', offer, token])
      expect(instructionContext(world.registry, id, step)).toEqual({
        ok: false,
        refusal: { kind: 'not-found', message: `TransferOffer '${id}' not found.` },
      });
  });

  test('waits while one of its contracts is being reassigned (R-GEN-009)', () => {
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')] });
    const lockedToken = world.active.get(offer)!.payload.lockedToken as string;
    for (const moving of [world.rules, lockedToken, offer]) {
      const assign = world.unassign(moving);
      expect(instructionContext(world.registry, offer, step)).toMatchObject({
        ok: false,
        refusal: { kind: 'reassigning', message: expect.stringContaining(moving) as string },
      });
      assign();
    }
    const { disclosed } = expectOk(instructionContext(world.registry, offer, step));
    const target = world.network.synchronizers[1]!.id;
    expect(disclosed.map((each) => each.synchronizerId)).toEqual([target, target]);
    world.step(step, step === 'withdraw' ? ALICE : BOB, offer);
    expect(world.active.has(offer)).toBe(false);
  });
});

test.each(['reject', 'withdraw'] as const)(
  '%s continues without a lock that was archived (R-TI-016)',
  (step) => {
    const executeBefore = world.now + 10n;
    const offer = world.offer({ inputs: [world.mint(ALICE, '10')], executeBefore });
    world.now = executeBefore;
    world.instruct({
      receiver: ALICE,
      inputs: [world.active.get(offer)!.payload.lockedToken as string],
    });
    const answer = instructionContext(world.registry, offer, step);
    expect(entries(answer)[0]).toEqual([EXPIRE_LOCK_KEY, 'AV_Bool', false]);
    expect(expectOk(answer).disclosed.map(({ contract }) => contract.contractId)).toEqual([
      world.rules,
    ]);
  },
);

test('instruments have names, capabilities and a total supply (R-MD-005, R-MD-010, R-MD-011)', () => {
  world.mint(ALICE, '10');
  world.offer({ inputs: [world.mint(BOB, '2.5')], sender: BOB, receiver: ALICE, amount: '1' });
  world.mint(BOB, '7', { instrument: 'Silver' });
  const listed = instruments(world.registry, [
    { id: 'Gold', name: 'Gold coin', symbol: 'GLD', decimals: 2 },
  ]);
  expect(
    listed.map(({ id, name, symbol, decimals, totalSupply }) => [
      id,
      name,
      symbol,
      decimals,
      shown(totalSupply),
    ]),
  ).toEqual([
    ['Gold', 'Gold coin', 'GLD', 2, '12.5'],
    ['Silver', 'Silver', 'Silver', 10, '7'],
  ]);
  expect(new Set(Object.values(listed[0]!.supportedApis))).toEqual(new Set([1]));
  expect(registryInfo(world.registry)).toEqual({
    adminId: ADMIN,
    supportedApis: { 'splice-api-token-metadata-v1': 1 },
  });
});
