/** Creates and spends tokens in the test token's choices, with checks of their owner and lock. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { EMPTY_METADATA } from './conversions.js';
import { lockExpired } from './locks.js';
import type { InstrumentId, Lock } from '../standard/holding-v2.js';
import { Token, type TokenPayload } from './token.js';

interface NewToken {
  readonly owner: Party;
  readonly instrumentId: InstrumentId;
  readonly amount: Numeric;
  readonly lock?: Lock;
}

export function createToken(
  update: Update,
  { owner, instrumentId, amount, lock }: NewToken,
): ContractId {
  return update.create(Token, {
    owner,
    instrumentId,
    amount,
    lock: lock === undefined ? null : some(lock),
    lockedAt: lock === undefined ? null : some(update.getTime()),
    meta: EMPTY_METADATA,
  });
}

/** The owner and instrument that an input must have. Without an id, any of the admin's instruments matches. */
interface ExpectedToken {
  readonly owner: Party;
  readonly instrumentId: { readonly admin: Party; readonly id?: string };
}

/**
 * Archives a token that its owner passes in, so that two uses of it conflict. An expired lock ends in the same transaction; an active lock
 * is an error.
 */
export function spendToken(
  update: Update,
  inputCid: ContractId,
  { owner, instrumentId: expected }: ExpectedToken,
): TokenPayload {
  const { payload } = update.fetch(Token, inputCid);
  const { instrumentId } = payload;
  update.assert(
    payload.owner === owner,
    `Input holding is owned by ${payload.owner}, not by the sender ${owner}`,
  );
  update.assert(
    instrumentId.admin === expected.admin && instrumentId.id === (expected.id ?? instrumentId.id),
    `Input holding is of instrument ${instrumentId.id}, not of ${expected.id ?? `an instrument of ${expected.admin}`}`,
  );
  update.archive(Token, spendable(update, inputCid, payload));
  return payload;
}

function spendable(update: Update, contractId: ContractId, payload: TokenPayload): ContractId {
  const { lock, lockedAt } = payload;
  if (lock === null) return contractId;
  update.assert(lockExpired(lock.value, lockedAt, update.getTime()), 'Input holding is locked');
  return update.exercise(Token, contractId, 'Token_Unlock', { actors: [payload.owner] });
}
