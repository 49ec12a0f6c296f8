/**
 * The zoo: small models with one planted bug each, and their twins without it. A row names the check or the invariant
 * that must find the bug, and the number of sequences within which it does.
 */
import type { Check } from '../../../src/fuzzing/model/finding.js';
import {
  conserved,
  invariant,
  seenOnlyBy,
  tokenStandard,
  type FuzzedExercise,
  type FuzzedLedger,
} from '../../../src/fuzzing/invariants/index.js';
import type { Budget } from '../../../src/fuzzing/checks/budgets.js';
import type { DamlRecord } from '../../../src/daml/index.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import * as authority from './authority.js';
import * as crashes from './crashes.js';
import * as lifecycle from './lifecycle.js';
import * as packages from './packages.js';
import * as tokens from './tokens.js';
import * as value from './value.js';

export interface ZooRow {
  readonly name: string;
  /** The bug, in a few words. */
  readonly bug: string;
  /** The package, or its versions, the newest first; `fixed` for the twin. */
  readonly build: (fixed: boolean) => EncodedPackage | readonly EncodedPackage[];
  readonly dependencies?: readonly EncodedPackage[];
  /** The check or invariant that finds the bug. */
  readonly finds: string;
  readonly invariants?: () => readonly Check[];
  /** Checks whose notes are failures here. */
  readonly failing?: readonly string[];
  readonly budget?: Partial<Budget>;
  /** Actions that are left out: what only another part of an application may create. */
  readonly exclude?: readonly string[];
  /** Contracts of the start state, by template, of their signatory `Alice`. */
  readonly founds?: Readonly<Record<string, DamlRecord>>;
  /** The most sequences until the bug is found. */
  readonly runs: number;
}

/** The DARs of a model. */
export function darsOf(
  { build, dependencies = [] }: ZooRow,
  fixed: boolean,
): readonly Uint8Array[] {
  return [build(fixed)].flat().map((main) => buildDar(main, ...dependencies));
}

const supply = (template: string | readonly string[] = 'Token') => [
  conserved({ name: 'supply', template, field: 'amount', by: ['issuer', 'instrument'] }),
];

/** An invariant about each exercise of a choice. */
const whenever =
  (
    name: string,
    choice: string,
    holds: (exercise: FuzzedExercise, ledger: FuzzedLedger) => boolean,
  ): (() => readonly Check[]) =>
  () => [
    invariant(name, (ledger) => ledger.exercised(choice).every((each) => holds(each, ledger))),
  ];

const TOKEN_BUGS = [
  ['supply', 'An allocation pays its receiver twice.'],
  ['amounts', 'A part of a holding can be negative.'],
  ['locks', 'A locked holding is given away.'],
  ['allocations', 'A cancelled allocation does not return a holding.'],
] as const;

export const ZOO: readonly ZooRow[] = [
  {
    name: 'open-claim',
    bug: 'The controller of a consuming choice is an argument.',
    build: authority.openClaim,
    finds: 'anyone-may-exercise',
    runs: 20,
  },
  {
    name: 'open-cancel',
    bug: 'The controllers of a consuming choice are a list in the argument.',
    build: authority.openCancel,
    finds: 'anyone-may-exercise',
    runs: 20,
  },
  {
    name: 'mandate',
    bug: 'An agent incurs debts in the name of a client.',
    build: authority.mandate,
    finds: 'delegated-authority',
    failing: ['delegated-authority'],
    runs: 20,
  },
  {
    name: 'self-promotion',
    bug: 'A member makes itself an administrator.',
    build: authority.selfPromotion,
    finds: 'delegated-authority',
    failing: ['delegated-authority'],
    runs: 20,
  },
  {
    name: 'withdrawn-proposal',
    bug: 'A proposal is accepted after it was withdrawn.',
    build: authority.withdrawnProposal,
    invariants: whenever('open-proposals', 'Accept', ({ payload }) => payload['isOpen']),
    finds: 'open-proposals',
    runs: 20,
  },
  {
    name: 'wrong-payee',
    bug: 'An escrow pays a refund to the seller.',
    build: authority.wrongPayee,
    invariants: whenever(
      'refund-to-buyer',
      'Refund',
      ({ payload, result }, ledger) =>
        ledger.contract(String(result))!.payload['to'] === payload['buyer'],
    ),
    finds: 'refund-to-buyer',
    runs: 20,
  },
  {
    name: 'hidden-rate',
    bug: 'The result of a choice depends on a contract that its caller cannot see.',
    build: authority.hiddenRate,
    finds: 'needs-disclosure',
    failing: ['needs-disclosure'],
    runs: 50,
  },
  {
    name: 'minting-split',
    bug: 'Splitting a token does not reduce the rest.',
    build: value.mintingSplit,
    invariants: () => supply(),
    finds: 'supply',
    runs: 20,
  },
  {
    name: 'minting-merge',
    bug: 'Merging a token does not archive it.',
    build: value.mintingMerge,
    invariants: () => supply(),
    finds: 'supply',
    runs: 100,
  },
  {
    name: 'pay-to-self',
    bug: 'A payment from a purse to itself doubles the amount.',
    build: value.payToSelf,
    invariants: () => [
      conserved({ name: 'supply', template: 'Main:Purse', field: 'amount', by: 'bank' }),
    ],
    finds: 'supply',
    runs: 50,
  },
  {
    name: 'negative-payment',
    bug: 'A payment of a negative amount increases a debt.',
    build: value.negativePayment,
    invariants: whenever(
      'debts-shrink',
      'PayPart',
      ({ payload, result }, ledger) =>
        BigInt(ledger.contract(String(result))!.payload['open']) < BigInt(payload['open']),
    ),
    finds: 'debts-shrink',
    runs: 20,
  },
  {
    name: 'rounded-halves',
    bug: 'Both halves of an odd amount are rounded down.',
    build: value.roundedHalves,
    invariants: () => supply(),
    finds: 'supply',
    runs: 20,
  },
  {
    name: 'rounded-thirds',
    bug: 'The thirds of a decimal are less than the whole.',
    build: value.roundedThirds,
    invariants: () => [conserved({ name: 'supply', template: 'Pot', field: 'amount' })],
    finds: 'supply',
    runs: 20,
  },
  {
    name: 'lasting-voucher',
    bug: 'A voucher remains after its redemption.',
    build: value.lastingVoucher,
    finds: 'double-spending',
    failing: ['double-spending'],
    runs: 100,
  },
  {
    name: 'lasting-approval',
    bug: 'An approval is used any number of times.',
    build: value.lastingApproval,
    exclude: ['create Spent', 'Spent.Archive'],
    invariants: () => [
      invariant('spent-within-limit', (ledger) => {
        const spent = ledger.sumsBy('Spent', 'amount', 'approval');
        return ledger
          .contracts('Spent')
          .filter(({ payload }) => ledger.contract(payload['approval']) !== undefined)
          .every(
            ({ payload }) => BigInt(spent.get(payload['approval'])!) <= BigInt(payload['limit']),
          );
      }),
    ],
    finds: 'spent-within-limit',
    runs: 20,
  },
  {
    name: 'settles-twice',
    bug: 'An allocation settles any number of times.',
    build: value.settlesTwice,
    invariants: () => supply(['Holding', 'Allocation']),
    finds: 'supply',
    runs: 20,
  },
  {
    name: 'never-returns',
    bug: 'A cancelled allocation does not return its amount.',
    build: value.neverReturns,
    invariants: () => supply(['Holding', 'Allocation']),
    finds: 'supply',
    runs: 20,
  },
  {
    name: 'divides-by-zero',
    bug: 'A price is a quotient whose divisor can be 0.',
    build: crashes.dividesByZero,
    finds: 'arithmetic-error',
    runs: 20,
  },
  {
    name: 'overflows',
    bug: 'A product is beyond the bounds of an Int.',
    build: crashes.overflows,
    finds: 'arithmetic-error',
    failing: ['arithmetic-error'],
    runs: 20,
  },
  {
    name: 'empty-head',
    bug: 'The head of an empty list.',
    build: crashes.emptyHead,
    finds: 'partial-function',
    runs: 50,
  },
  {
    name: 'empty-ballot',
    bug: 'A NonEmpty of an empty list.',
    build: crashes.emptyBallot,
    finds: 'partial-function',
    runs: 50,
  },
  {
    name: 'missing-branch',
    bug: 'A case expression without a branch.',
    build: crashes.missingBranch,
    finds: 'partial-function',
    runs: 20,
  },
  {
    name: 'failing-ensure',
    bug: 'A choice without arguments creates an invalid contract.',
    build: crashes.failingEnsure,
    finds: 'failing-ensure',
    runs: 20,
  },
  {
    name: 'long-loop',
    bug: 'The caller chooses the number of rounds of a loop.',
    build: crashes.longLoop,
    finds: 'step-budget',
    budget: { steps: 10_000 },
    runs: 20,
  },
  {
    name: 'failing-view',
    bug: 'The view of an interface fails for some contracts.',
    build: crashes.failingView,
    finds: 'failing-view',
    runs: 20,
  },
  {
    name: 'stuck-escrow',
    bug: 'An escrow never reaches the phase in which it is released.',
    build: lifecycle.stuckEscrow,
    finds: 'stuck-contract',
    runs: 100,
  },
  {
    name: 'unlocks-early',
    bug: 'A lock is released at its deadline in place of after it.',
    build: lifecycle.unlocksEarly,
    invariants: whenever('locked-until', 'Unlock', ({ payload }, ledger) =>
      ledger.hasPassed(payload['until']),
    ),
    finds: 'locked-until',
    runs: 20,
  },
  {
    name: 'never-unlocks',
    bug: 'A lock is not released after its deadline.',
    build: lifecycle.neverUnlocks,
    invariants: () => [
      invariant('unlocks', (ledger) =>
        ledger
          .contracts('Lock')
          .filter(({ payload }) => ledger.hasPassed(payload['until']))
          .every((contract) =>
            ledger.accepts({ actAs: [contract.payload['owner']], contract, choice: 'Unlock' }),
          ),
      ),
    ],
    finds: 'unlocks',
    runs: 20,
  },
  {
    name: 'unchecked-expiry',
    bug: 'An expired offer is accepted.',
    build: lifecycle.uncheckedExpiry,
    invariants: whenever(
      'offers-expire',
      'Buy',
      ({ payload }, ledger) => !ledger.hasPassed(payload['expires']),
    ),
    finds: 'offers-expire',
    runs: 20,
  },
  {
    name: 'votes-twice',
    bug: 'A voter votes twice.',
    build: lifecycle.votesTwice,
    invariants: whenever(
      'one-vote-each',
      'Vote',
      ({ payload, argument }) => !payload['voted'].includes(argument['voter']),
    ),
    finds: 'one-vote-each',
    runs: 20,
  },
  {
    name: 'visible-bid',
    bug: 'Rivals are observers of a sealed bid.',
    build: lifecycle.visibleBid,
    invariants: () => [seenOnlyBy({ template: 'Bid', parties: ['bidder', 'auctioneer'] })],
    finds: 'seen-only-by',
    runs: 20,
  },
  {
    name: 'divulged-bid',
    bug: 'A choice with an audience fetches a sealed bid.',
    build: lifecycle.divulgedBid,
    invariants: () => [seenOnlyBy({ template: 'Bid', parties: ['bidder', 'auctioneer'] })],
    finds: 'seen-only-by',
    runs: 20,
  },
  {
    name: 'wrong-maintainer',
    bug: 'The owner maintains the key of its account number, in place of the bank.',
    build: packages.wrongMaintainer,
    dependencies: [packages.PAIRS],
    founds: { Desk: { bank: 'Alice', owners: ['Bob', 'Carol', 'Dave'], opened: 0n } },
    exclude: ['create Account', 'create Desk'],
    invariants: () => [
      invariant('unique-numbers', (ledger) => {
        const numbers = ledger
          .contracts('Account')
          .map(({ payload }) => `${payload['bank']} ${payload['number']}`);
        return new Set(numbers).size === numbers.length;
      }),
    ],
    finds: 'unique-numbers',
    runs: 20,
  },
  {
    name: 'racing-keys',
    bug: 'Two clerks find the same number free at the same time.',
    build: packages.racingKeys,
    dependencies: [packages.PAIRS],
    founds: { Desk: { bank: 'Alice', owners: ['Bob', 'Carol', 'Dave'], opened: 0n } },
    exclude: ['create Account', 'create Desk'],
    finds: 'double-spending',
    runs: 400,
  },
  {
    name: 'dropped-field',
    bug: 'A new version of a package drops its new field in an old choice.',
    build: packages.droppedField,
    invariants: whenever(
      'lien-remains',
      'Hand',
      ({ payload, result }, ledger) =>
        ledger.contract(String(result))!.payload['lien'] === payload['lien'],
    ),
    finds: 'lien-remains',
    runs: 20,
  },
  ...TOKEN_BUGS.map(([name, bug]): ZooRow => ({
    name: `token-${name}`,
    bug,
    build: (fixed) => tokens.registry(fixed ? undefined : name),
    dependencies: [tokens.HOLDING_API, tokens.ALLOCATION_API],
    invariants: tokenStandard,
    finds: `token-${name}`,
    runs: 100,
  })),
  {
    name: 'daml-invariant',
    bug: 'A coin grows beyond its cap, which the Daml function invariant_amounts forbids.',
    build: packages.damlInvariant,
    exclude: ['create Coin'],
    finds: 'Main:invariant_amounts',
    runs: 20,
  },
];
