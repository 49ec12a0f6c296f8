/**
 * Transfers of the simplified Amulet: arguments and results, limited to the parts that clients read, and how they move amulets. Transfers
 * are free.
 */
import { d, type Update, type ValueOf } from '../../daml/define/index.js';
import { Numeric } from '../../daml/model/numeric.js';
import { parties } from '../../daml/model/parties.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { Metadata } from '../../token/standard/metadata-v1.js';
import {
  Amulet,
  amuletLike,
  FeaturedAppRight,
  LockedAmulet,
  spend,
  TimeLock,
  ValidatorRight,
} from './amulets.js';
import { Round } from './configuration.js';
import { checkFunds } from './locking.js';

const MODULE = 'Splice.AmuletRules';
const NONE = Numeric.of('0', 10);

export const TransferInput = d.variant(`${MODULE}:TransferInput`, {
  InputAmulet: d.contractId(Amulet),
});

/** Issuing rounds, rights and featured apps pay no rewards here. The fields that name them may be empty. */
const anyRound = d.contractId('Splice.Round:OpenMiningRound');
export const TransferContext = d.record(`${MODULE}:TransferContext`, {
  openMiningRound: anyRound,
  issuingMiningRounds: d.genMap(Round, anyRound),
  validatorRights: d.genMap(d.party, d.contractId(ValidatorRight)),
  featuredAppRight: d.optional(d.contractId(FeaturedAppRight)),
});
export const PaymentContext = d.record(`${MODULE}:PaymentTransferContext`, {
  amuletRules: d.contractId(`${MODULE}:AmuletRules`),
  context: TransferContext,
});

const TransferOutput = d.record(`${MODULE}:TransferOutput`, {
  receiver: d.party,
  receiverFeeRatio: d.numeric(10),
  amount: d.numeric(10),
  lock: d.optional(TimeLock),
  meta: d.optional(Metadata),
});

/** NOTE: beneficiaries would share rewards, but there are no rewards. */
export const Transfer = d.record(`${MODULE}:Transfer`, {
  sender: d.party,
  provider: d.party,
  inputs: d.list(TransferInput),
  outputs: d.list(TransferOutput),
  beneficiaries: d.optional(
    d.list(
      d.record('Splice.Amulet:AppRewardBeneficiary', {
        beneficiary: d.party,
        weight: d.numeric(10),
      }),
    ),
  ),
});
type Transfer = ValueOf<typeof Transfer>;

const CreatedAmulet = d.variant(`${MODULE}:CreatedAmulet`, {
  TransferResultAmulet: d.contractId(Amulet),
  TransferResultLockedAmulet: d.contractId(LockedAmulet),
});

/** The result of a transfer, as a wallet's history reads it. */
export const TransferResult = d.record(`${MODULE}:TransferResult`, {
  summary: d.record(`${MODULE}:TransferSummary`, {
    inputAppRewardAmount: d.numeric(10),
    inputValidatorRewardAmount: d.numeric(10),
    inputSvRewardAmount: d.numeric(10),
    inputAmuletAmount: d.numeric(10),
    balanceChanges: d.genMap(
      d.party,
      d.record(`${MODULE}:BalanceChange`, { changeToInitialAmountAsOfRoundZero: d.numeric(10) }),
    ),
    holdingFees: d.numeric(10),
    outputFees: d.list(d.numeric(10)),
    senderChangeAmount: d.numeric(10),
  }),
  createdAmulets: d.list(CreatedAmulet),
  senderChangeAmulet: d.optional(d.contractId(Amulet)),
});
type TransferResult = ValueOf<typeof TransferResult>;

/** The result of a free operation. */
export const NO_TRANSFER = {
  summary: {
    inputAppRewardAmount: NONE,
    inputValidatorRewardAmount: NONE,
    inputSvRewardAmount: NONE,
    inputAmuletAmount: NONE,
    balanceChanges: [],
    holdingFees: NONE,
    outputFees: [],
    senderChangeAmount: NONE,
  },
  createdAmulets: [],
  senderChangeAmulet: null,
} as const satisfies TransferResult;

/** The controllers of a transfer. */
export function transferControllers({ sender, provider, outputs }: Transfer): readonly Party[] {
  const others = outputs.flatMap(({ receiver, lock }) => [
    receiver,
    ...(lock?.value.holders ?? []),
  ]);
  return parties([sender, provider, ...others]);
}

/** Pays the outputs. The rest returns to the sender as one amulet. */
export function pay(
  update: Update,
  dso: Party,
  { sender, inputs, outputs }: Pick<Transfer, 'sender' | 'inputs' | 'outputs'>,
): TransferResult {
  update.assert(inputs.length > 0, 'At least one transfer input is provided');
  const cids = inputs.map(({ value }) => value);
  const { total, like } = spend(update, cids, { dso, owner: sender });
  const paid = outputs.map(({ amount }) => amount).reduce((sum, each) => sum.add(each), NONE);
  checkFunds(update, total, paid);
  const left = total.subtract(paid);
  const changes = new Map<Party, Numeric>([[sender, NONE.subtract(paid)]]);
  const createdAmulets = outputs.map(({ receiver, amount, lock }) => {
    const amulet = amuletLike(like, { owner: receiver, amount });
    changes.set(receiver, (changes.get(receiver) ?? NONE).add(amount));
    if (lock === null)
      return CreatedAmulet.of('TransferResultAmulet', update.create(Amulet, amulet));
    const locked = update.create(LockedAmulet, { amulet, lock: lock.value });
    return CreatedAmulet.of('TransferResultLockedAmulet', locked);
  });
  const change =
    left.sign() > 0 ? some(update.create(Amulet, amuletLike(like, { amount: left }))) : null;
  return {
    summary: {
      ...NO_TRANSFER.summary,
      inputAmuletAmount: total,
      balanceChanges: [...changes].map(([party, amount]) => [
        party,
        { changeToInitialAmountAsOfRoundZero: amount },
      ]),
      outputFees: outputs.map(() => NONE),
      senderChangeAmount: left,
    },
    createdAmulets,
    senderChangeAmulet: change,
  };
}

/** A plain output: without lock, metadata or receiver fees. */
export const outputOf = (receiver: Party, amount: Numeric): ValueOf<typeof TransferOutput> => ({
  ...{ receiver, amount, receiverFeeRatio: NONE },
  ...{ lock: null, meta: null },
});

export const inputsOf = (cids: readonly ContractId[]) =>
  cids.map((value) => TransferInput.of('InputAmulet', value));
