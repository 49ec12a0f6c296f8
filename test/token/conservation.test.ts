/** For any actions with the test token, the supply equals the minted amount, and a refusal changes no state. */
import * as fc from 'fast-check';
import {
  LedgerError,
  type ContractInstance,
  type ContractId,
  type Party,
  Numeric,
} from '../../src/daml/index.js';
import { Token } from '../../src/token/holdings/token.js';
import { TransferOffer, type OfferPayload } from '../../src/token/transfers/transfer-offer.js';
import { check, isUsualRun } from '../support/property.js';
import { ALICE, BOB, CAROL, TokenWorld, shown } from './token-world.js';

const PARTIES = [ALICE, BOB, CAROL] as const;
const party = fc.constantFrom(...PARTIES);
const pick = fc.nat({ max: 20 });
const amount = fc.integer({ min: 0, max: 24 }).map((quarters) => String(quarters / 4));

/** The n-th of some active contracts, so that shrunk runs still mean something. */
function nth(contracts: readonly ContractInstance[], index: number): ContractId {
  return contracts[index % contracts.length]?.contractId ?? '00';
}

const contractsOf = (world: TokenWorld, templateId: string, owner?: Party) =>
  [...world.active.values()].filter(
    (each) =>
      each.templateId === templateId && (owner === undefined || each.payload.owner === owner),
  );

interface Action {
  readonly name: string;
  readonly minted?: string;
  run(world: TokenWorld): void;
}

const mint: fc.Arbitrary<Action> = fc.record({ receiver: party, amount }).map((it) => ({
  name: 'mint',
  minted: it.amount,
  run: (world) => void world.mint(it.receiver, it.amount),
}));

/** Mostly of the sender's own tokens; some are locked, too small, or named twice. */
const transfer: fc.Arbitrary<Action> = fc
  .record({
    sender: party,
    receiver: party,
    amount,
    inputs: fc.array(pick, { minLength: 1, maxLength: 3 }),
    anyones: fc.integer({ min: 0, max: 9 }),
    v2: fc.boolean(),
  })
  .map(({ sender, receiver, amount, inputs, anyones, v2 }) => ({
    name: sender === receiver ? 'merge or split' : 'offer',
    run: (world) => {
      const tokens = contractsOf(world, Token.id, anyones === 0 ? undefined : sender);
      const inputHoldings = inputs.map((index) => nth(tokens, index));
      const wish = {
        sender,
        receiver,
        amount,
        inputs: inputHoldings,
        executeBefore: world.now + 20n,
      };
      void (v2 ? world.instructV2(wish) : world.instruct(wish));
    },
  }));

const step: fc.Arbitrary<Action> = fc
  .record({
    step: fc.constantFrom('accept', 'reject', 'withdraw'),
    stranger: party,
    odd: pick,
    offer: pick,
    v2: fc.boolean(),
  })
  .map((it) => ({
    name: it.step,
    run: (world) => {
      const offer = nth(contractsOf(world, TransferOffer.id), it.offer);
      const payload = world.active.get(offer)?.payload as OfferPayload | undefined;
      const side = it.step === 'withdraw' ? payload?.transfer.sender : payload?.transfer.receiver;
      const actor = it.odd === 0 ? it.stranger : (side?.owner?.value ?? it.stranger);
      void (it.v2 ? world.stepV2(it.step, [actor], offer) : world.step(it.step, actor, offer));
    },
  }));

const wait: fc.Arbitrary<Action> = fc.nat({ max: 15 }).map((microseconds) => ({
  name: 'wait',
  run: (world) => void (world.now += BigInt(microseconds)),
}));

const actions = fc.array(
  fc.oneof(
    { arbitrary: mint, weight: 2 },
    { arbitrary: transfer, weight: 5 },
    { arbitrary: step, weight: 3 },
    wait,
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

test('the supply is constant, and rejections have no effect', () => {
  const outcomes = new Map<string, number>();
  check(
    fc.property(actions, (sequence) => {
      const world = new TokenWorld();
      for (const each of PARTIES) world.mint(each, '10');
      let minted = Numeric.of('30', 10);
      for (const { name, minted: added, run } of sequence) {
        const before = [...world.active.keys()];
        try {
          run(world);
          if (added !== undefined) minted = minted.add(Numeric.of(added, 10));
          outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
        } catch (error) {
          if (!(error instanceof LedgerError) && !String(error).includes('The registry refused'))
            throw error;
          expect([...world.active.keys()]).toEqual(before);
        }
        expect(world.supply()).toBe(shown(minted));
      }
    }),
    { seed: 7, numRuns: 50 },
  );
  // The runs reach every kind of action, or the property says nothing about it.
  if (!isUsualRun) return;
  expect([...outcomes.keys()].sort()).toEqual([
    'accept',
    'merge or split',
    'mint',
    'offer',
    'reject',
    'wait',
    'withdraw',
  ]);
});
