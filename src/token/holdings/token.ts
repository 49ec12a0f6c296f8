/** The test token's holding: an amount of an instrument, with an optional lock. */
import { d, defineTemplate, type RecordOf } from '../../daml/define/index.js';
import { Numeric } from '../../daml/model/numeric.js';
import { stakeholdersOfLock, lockExpired } from './locks.js';
import { basicAccount, holdingViewToV1 } from './conversions.js';
import { Holding as HoldingV1 } from '../standard/holding-v1.js';
import { Holding, InstrumentId, Lock, type HoldingView } from '../standard/holding-v2.js';
import { Metadata } from '../standard/metadata-v1.js';

export const MODULE = 'Canticle.TestToken';

export const ZERO = Numeric.of('0', 10);

const fields = {
  owner: d.party,
  instrumentId: InstrumentId,
  amount: d.numeric(10),
  lock: d.optional(Lock),
  /** The time of creation, if the lock has a relative expiry. */
  lockedAt: d.optional(d.timestamp),
  meta: Metadata,
};

export type TokenPayload = RecordOf<typeof fields>;

function holdingView({ owner, instrumentId, amount, lock, meta }: TokenPayload): HoldingView {
  return { account: basicAccount(owner), instrumentId, amount, lock, meta };
}

export const Token = defineTemplate({
  name: `${MODULE}:Token`,
  fields,
  // The holders of a lock are signatories, so that the owner cannot spend the token without them.
  signatories: (token) => [token.instrumentId.admin, token.owner, ...stakeholdersOfLock(token)],
  ensure: (token) => token.amount.compare(ZERO) > 0,
  choices: (choice) => ({
    /** Removes the lock: holders and owner together at any time, the owner alone after its expiry. */
    Token_Unlock: choice({
      argument: { actors: d.list(d.party) },
      result: d.contractId(`${MODULE}:Token`),
      controllers: (_token, { actors }) => actors,
      run: (update, { payload, template }, { actors }) => {
        const { lock, lockedAt } = payload;
        update.assert(lock !== null, 'The token is not locked');
        const needed = lockExpired(lock!.value, lockedAt, update.getTime())
          ? [payload.owner]
          : [payload.owner, ...stakeholdersOfLock(payload)];
        const missing = needed.filter((party) => !actors.includes(party));
        update.assert(
          missing.length === 0,
          `The token is locked. Unlocking it takes ${missing.join(', ')} as well`,
        );
        return update.create(template, { ...payload, lock: null, lockedAt: null });
      },
    }),
  }),
  implements: (implement) => [
    implement(HoldingV1, { view: (token) => holdingViewToV1(holdingView(token)) }),
    implement(Holding, { view: holdingView }),
  ],
});
