/**
 * Reward accounting by round (S-RWD-*): the rewards that Scan computed for a round, or that a test sets. The batches and the root hash
 * follow from them. NOTE: the errors are Canticle's, because a real DSO has no such input.
 */
import { partyError } from '../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { ArithmeticError, Numeric, parseNumeric } from '../../daml/model/numeric.js';
import type { Party } from '../../daml/model/values.js';
import { JournaledCell, JournaledMap, type Journal } from '../../network/journal/journal.js';
import {
  rewardTree,
  type MintingAllowance,
  type RewardBatch,
  type RewardTree,
} from './reward-batches.js';
import type { RoundRewards } from './round-rewards.js';

/** The default number of allowances in a leaf, and of batches in a batch. */
const DEFAULT_BATCH_SIZE = 100;
const DECIMALS = 10;

/** The input for a round. Amounts are decimals with at most ten places. */
export type RewardRoundInput =
  | {
      readonly status: 'Ok';
      readonly appActivityWeight?: number;
      /** At least the number of rewarded providers, which is the default. */
      readonly activePartiesCount?: number;
      readonly activityRecordsCount?: number;
      /** The amount that was not paid because it was below the threshold. */
      readonly appRewardThresholded?: string;
      readonly appRewardUnclaimed?: string;
      /** One per rewarded provider, in any order. */
      readonly mintingAllowances?: readonly { readonly provider: Party; readonly amount: string }[];
      readonly batchSize?: number;
    }
  | { readonly status: 'Undetermined' }
  | { readonly status: 'CannotProvide' };

export interface RewardTotals {
  readonly status: 'Ok';
  readonly roundNumber: number;
  readonly appActivityWeight: number;
  readonly activePartiesCount: number;
  readonly activityRecordsCount: number;
  readonly mintingAllowance: Numeric;
  readonly thresholded: Numeric;
  readonly unclaimed: Numeric;
  readonly rewardedProvidersCount: number;
  /** Sorted by provider. */
  readonly mintingAllowances: readonly MintingAllowance[];
  readonly batchSize: number;
  readonly tree: RewardTree;
}

/** `Undetermined` may change later; `CannotProvide` is final. */
export type RewardRound =
  | RewardTotals
  | { readonly status: 'Undetermined' }
  | { readonly status: 'CannotProvide' };

export class RewardRounds {
  private readonly rounds: JournaledMap<string, RewardRound>;
  private readonly earliest: JournaledCell<number | undefined>;

  /** @param changed called after the state of a round changes */
  constructor(
    journal: Journal,
    private readonly changed: () => void,
  ) {
    this.rounds = new JournaledMap(journal, 'reward-rounds');
    this.earliest = new JournaledCell<number | undefined>(
      journal,
      'earliest-reward-round',
      undefined,
    );
  }

  /** The first round with the status `Ok`. */
  get earliestAvailable(): number | undefined {
    return this.earliest.value;
  }

  /** A round without input is `CannotProvide` if it is before the first known one, and `Undetermined` otherwise (S-RWD-003, S-RWD-004). */
  round(roundNumber: number): RewardRound {
    const known = this.rounds.get(String(roundNumber));
    if (known !== undefined) return known;
    const { earliestAvailable } = this;
    return {
      status:
        earliestAvailable !== undefined && roundNumber < earliestAvailable
          ? 'CannotProvide'
          : 'Undetermined',
    };
  }

  batch(roundNumber: number, hash: string): RewardBatch | undefined {
    const round = this.round(roundNumber);
    return round.status === 'Ok' ? round.tree.batches.get(hash.toLowerCase()) : undefined;
  }

  /** @throws LedgerError INVALID_ARGUMENT for invalid input */
  set(roundNumber: number, input: RewardRoundInput): RewardRound {
    checkCount('round', roundNumber);
    const round = input.status === 'Ok' ? totals(roundNumber, input) : { status: input.status };
    this.keep(roundNumber, round);
    return round;
  }

  /** Keeps what Scan computed for a round. */
  record(roundNumber: number, computed: RoundRewards): void {
    const { appActivityWeight, mintingAllowances, batchSize, ...rest } = computed;
    this.keep(roundNumber, {
      ...rest,
      status: 'Ok',
      roundNumber,
      appActivityWeight: Number(appActivityWeight),
      mintingAllowance: sumOf(mintingAllowances),
      rewardedProvidersCount: mintingAllowances.length,
      mintingAllowances,
      batchSize,
      tree: rewardTree(mintingAllowances, batchSize),
    });
  }

  /** Whether the state of the round is known. */
  has(roundNumber: number): boolean {
    return this.rounds.get(String(roundNumber)) !== undefined;
  }

  private keep(roundNumber: number, round: RewardRound): void {
    this.rounds.set(String(roundNumber), round);
    this.earliest.value = this.firstOk();
    this.changed();
  }

  private firstOk(): number | undefined {
    const numbers = this.rounds
      .sortedKeys()
      .filter((key) => this.rounds.get(key)?.status === 'Ok')
      .map(Number);
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  }
}

function totals(
  roundNumber: number,
  input: Extract<RewardRoundInput, { status: 'Ok' }>,
): RewardTotals {
  const mintingAllowances = allowancesOf(input.mintingAllowances ?? []);
  const rewarded = mintingAllowances.length;
  const {
    appActivityWeight = 0,
    activePartiesCount = rewarded,
    activityRecordsCount = activePartiesCount,
  } = input;
  const { batchSize = DEFAULT_BATCH_SIZE } = input;
  checkCount('appActivityWeight', appActivityWeight);
  checkCount('activePartiesCount', activePartiesCount, rewarded);
  checkCount('activityRecordsCount', activityRecordsCount, activePartiesCount);
  // With one batch per batch, the tree would have no end.
  checkCount('batchSize', batchSize, rewarded > 1 ? 2 : 1);
  return {
    status: 'Ok',
    roundNumber,
    appActivityWeight,
    activePartiesCount,
    activityRecordsCount,
    mintingAllowance: sumOf(mintingAllowances),
    thresholded: amountOf('appRewardThresholded', input.appRewardThresholded ?? '0'),
    unclaimed: amountOf('appRewardUnclaimed', input.appRewardUnclaimed ?? '0'),
    rewardedProvidersCount: rewarded,
    mintingAllowances,
    batchSize,
    tree: rewardTree(mintingAllowances, batchSize),
  };
}

function allowancesOf(
  given: readonly { readonly provider: Party; readonly amount: string }[],
): MintingAllowance[] {
  const allowances = given.map(({ provider, amount }, i) => {
    const error = partyError(provider);
    if (error !== undefined) throw refusal(`mintingAllowances[${i}].provider`, error);
    return { provider, amount: amountOf(`mintingAllowances[${i}].amount`, amount) };
  });
  const seen = new Set<Party>();
  for (const { provider } of allowances) {
    if (seen.has(provider)) throw refusal('mintingAllowances', `${provider} has more than one`);
    seen.add(provider);
  }
  return allowances.sort((a, b) => (a.provider < b.provider ? -1 : 1));
}

function amountOf(field: string, text: string): Numeric {
  const amount = parseNumeric(text)?.rescale(DECIMALS);
  if (amount === undefined || amount.sign() < 0)
    throw refusal(
      field,
      `expected a decimal of at least 0 with at most ten places, got ${JSON.stringify(text)}`,
    );
  return amount;
}

function sumOf(allowances: readonly MintingAllowance[]): Numeric {
  try {
    return allowances.reduce((sum, { amount }) => sum.add(amount), Numeric.of('0', DECIMALS));
  } catch (error) {
    if (error instanceof ArithmeticError)
      throw refusal('mintingAllowances', 'their sum has too many digits');
    throw error;
  }
}

function checkCount(field: string, value: number, least = 0): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw refusal(field, `expected a whole number of at least ${least}, got ${value}`);
}

function refusal(field: string, reason: string): LedgerError {
  return ledgerError('INVALID_ARGUMENT', `Cannot set the reward round: ${field}: ${reason}.`);
}
