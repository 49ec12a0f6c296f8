/** Fees of each round that was ever opened, in amulets at its price (S-RUL-006). */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { isOf, roundNumber } from '../dso/amulet-contracts.js';
import { HistoryDigest } from './history-digest.js';
import type { ScanViewpoint } from './scan-view.js';

export interface RoundFees {
  readonly amuletCreate: Numeric;
  readonly holding: Numeric;
  readonly lockHolder: Numeric;
  readonly initialRate: Numeric;
  readonly steps: readonly { readonly from: Numeric; readonly rate: Numeric }[];
}

interface TransferConfig {
  readonly createFee: { readonly fee: Numeric };
  readonly holdingFee: { readonly rate: Numeric };
  readonly lockHolderFee: { readonly fee: Numeric };
  readonly transferFee: {
    readonly initialRate: Numeric;
    readonly steps: readonly { readonly _1: Numeric; readonly _2: Numeric }[];
  };
}

export class RoundConfigs {
  private readonly rounds: HistoryDigest<ContractInstance>;

  /** @param first the first round of the network that this one continues, if its Scan reported one */
  constructor(
    viewpoint: ScanViewpoint,
    private readonly first?: string,
  ) {
    this.rounds = new HistoryDigest(viewpoint, ({ kind, contract }) =>
      kind === 'create' && isOf(contract, 'openRound') ? contract : undefined,
    );
  }

  /** Number of the first round that was opened. */
  get initial(): string | undefined {
    const [opened] = this.rounds.all();
    return this.first ?? (opened && String(roundNumber(opened)));
  }

  /** Undefined for a round that was never opened. */
  feesOf(number: bigint): RoundFees | undefined {
    const round = this.rounds.all().find((each) => roundNumber(each) === number);
    return round && feesOf(round);
  }
}

function feesOf({ payload }: ContractInstance): RoundFees {
  const price = payload.amuletPrice as Numeric;
  const config = payload.transferConfigUsd as unknown as TransferConfig;
  const { initialRate, steps } = config.transferFee;
  return {
    amuletCreate: config.createFee.fee.divide(price),
    holding: config.holdingFee.rate.divide(price),
    lockHolder: config.lockHolderFee.fee.divide(price),
    initialRate,
    steps: steps.map(({ _1: from, _2: rate }) => ({ from: from.divide(price), rate })),
  };
}
