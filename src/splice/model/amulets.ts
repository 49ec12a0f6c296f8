/** Amulets of the simplified Amulet, free and locked, as holdings of the token standard; and the right to the rewards of a user. */
import {
  d,
  defineTemplate,
  type Update,
  type ValueOf,
  type RecordOf,
} from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { parties } from '../../daml/model/parties.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { basicAccount, holdingViewToV1, metadata } from '../../token/holdings/conversions.js';
import { Holding as HoldingV1 } from '../../token/standard/holding-v1.js';
import { Holding, type HoldingView } from '../../token/standard/holding-v2.js';
import { RatePerRound, Round } from './configuration.js';

export const AMULET_ID = 'Amulet';
const META = 'amulet.splice.lfdecentralizedtrust.org/';

const ExpiringAmount = d.record('Splice.Fees:ExpiringAmount', {
  initialAmount: d.numeric(10),
  createdAt: Round,
  ratePerRound: RatePerRound,
});

export const TimeLock = d.record('Splice.Expiry:TimeLock', {
  holders: d.list(d.party),
  expiresAt: d.timestamp,
  optContext: d.optional(d.text),
});

const fields = { dso: d.party, owner: d.party, amount: ExpiringAmount };
export type AmuletPayload = RecordOf<typeof fields>;
type Lock = ValueOf<typeof TimeLock>;

function viewOf({ dso, owner, amount }: AmuletPayload, lock?: Lock): HoldingView {
  return {
    account: basicAccount(owner),
    instrumentId: { admin: dso, id: AMULET_ID },
    amount: amount.initialAmount,
    lock:
      lock === undefined
        ? null
        : some({
            holders: lock.holders,
            expiresAt: some(lock.expiresAt),
            expiresAfter: null,
            context: lock.optContext,
          }),
    meta: metadata([
      [`${META}created-in-round`, String(amount.createdAt.number)],
      [`${META}rate-per-round`, amount.ratePerRound.rate.toString()],
    ]),
  };
}

export const Amulet = defineTemplate({
  name: 'Splice.Amulet:Amulet',
  fields,
  signatories: ({ dso, owner }) => parties([dso, owner]),
  ensure: ({ amount }) => amount.initialAmount.sign() > 0,
  implements: (implement) => [
    implement(HoldingV1, { view: (amulet) => holdingViewToV1(viewOf(amulet)) }),
    implement(Holding, { view: (amulet) => viewOf(amulet) }),
  ],
});

export const LockedAmulet = defineTemplate({
  name: 'Splice.Amulet:LockedAmulet',
  fields: { amulet: Amulet.type, lock: TimeLock },
  signatories: ({ amulet, lock }) => parties([amulet.dso, amulet.owner, ...lock.holders]),
  implements: (implement) => [
    implement(HoldingV1, { view: ({ amulet, lock }) => holdingViewToV1(viewOf(amulet, lock)) }),
    implement(Holding, { view: ({ amulet, lock }) => viewOf(amulet, lock) }),
  ],
});

export const ValidatorRight = defineTemplate({
  name: 'Splice.Amulet:ValidatorRight',
  fields: { dso: d.party, user: d.party, validator: d.party },
  signatories: ({ user, validator }) => parties([user, validator]),
});

/** NOTE: it marks featured apps, but earns no rewards. */
export const FeaturedAppRight = defineTemplate({
  name: 'Splice.Amulet:FeaturedAppRight',
  fields: { dso: d.party, provider: d.party, activityWeight: d.optional(d.numeric(10)) },
  signatories: ({ dso }) => [dso],
  observers: ({ provider }) => [provider],
  choices: (choice) => ({
    FeaturedAppRight_Cancel: choice({
      argument: {},
      result: d.unit,
      controllers: ({ provider }) => [provider],
      run: () => ({}),
    }),
  }),
});

/**
 * Archives amulets that their owner passes in, including those with an expired lock.
 * @returns their sum, and the first of them
 */
export function spend(
  update: Update,
  inputs: readonly ContractId[],
  { dso, owner }: { readonly dso: Party; readonly owner: Party },
): { readonly total: Numeric; readonly like: AmuletPayload } {
  const payloads = inputs.map((input) => {
    const { templateId, view } = update.fetchView(Holding, input);
    const isLocked = templateId === LockedAmulet.id;
    const isOwn = view.account.owner?.value === owner && view.instrumentId.admin === dso;
    update.assert(isOwn, `The holding ${input} is not an amulet of ${owner}`);
    if (!isLocked) {
      const { payload } = update.fetch(Amulet, input);
      update.archive(Amulet, input);
      return payload;
    }
    const { amulet, lock } = update.fetch(LockedAmulet, input).payload;
    update.assert(lock.expiresAt <= update.getTime(), `The amulet ${input} is locked`);
    update.archive(LockedAmulet, input);
    return amulet;
  });
  const total = payloads
    .map(({ amount }) => amount.initialAmount)
    .reduce((sum, each) => sum.add(each));
  return { total, like: payloads[0]! };
}

/** The same amulet with another owner or amount. */
export function amuletLike(
  like: AmuletPayload,
  { owner = like.owner, amount }: { readonly owner?: Party; readonly amount: Numeric },
): AmuletPayload {
  return { ...like, owner, amount: { ...like.amount, initialAmount: amount } };
}
