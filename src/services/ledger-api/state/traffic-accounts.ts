/**
 * The traffic accounts of parties. Only a participant with the option `trafficAccounts` has their paths and their
 * service (B-TRF-009). New in release 3.6.
 */
import { parseInstant } from '../../../daml/codec/java-time.js';
import { tooLong } from '../../../daml/model/identifiers.js';
import { invariant } from '../../../daml/errors/ledger-error.js';
import type { TrafficAccounts } from '../../../network/traffic/accounts.js';
import type { GetAccountResponse, UpdateAccountResponse } from '../../../spec/generated/ledger.js';
import type { LedgerContext, SomeHandlers } from '../../handler.js';
import { protoDeserializationFailure } from '../formats/requests.js';

export const trafficAccounts = {
  'getV2TrafficAccountsAccount-id': ({ participant }, { path }) => {
    const accountId = path['account-id'];
    requireShort('AccountId', accountId);
    return accountOf(accountId, accountsOf(participant).balance(accountId));
  },

  postV2TrafficAccounts: ({ participant, network }, { body }) => {
    const { accountId, balanceDelta, deduplicationId } = body;
    if (balanceDelta === undefined) return unchanged;
    requireShort('AccountId', accountId);
    requireShort('EventId', deduplicationId);
    const update = { account: accountId, delta: BigInt(balanceDelta), id: deduplicationId };
    const balance = accountsOf(participant).update(update, network.clock.now());
    return balance === undefined ? unchanged : { response: accountOf(accountId, balance) };
  },

  postV2TrafficEventsPrune: ({ participant }, { body }) => {
    // Over gRPC, it may be missing.
    const { beforeOrAt = '' } = body;
    if (beforeOrAt === '') throw protoDeserializationFailure('FieldNotSet(before_or_at)');
    return { prunedEventCount: accountsOf(participant).prune(parseInstant(beforeOrAt)) };
  },
} satisfies SomeHandlers<'ledger'>;

/** Without an effect, there is no account in the answer, although the document says that there is one (B-TRF-011). */
const unchanged = { response: null } as unknown as UpdateAccountResponse;

/** The largest number of JavaScript below 2^63. */
const LARGEST = 2 ** 63 - 1024;

/** NOTE: a balance beyond 2^53 is rounded, because JavaScript numbers cannot represent it. */
const accountOf = (accountId: string, balance: bigint): GetAccountResponse => ({
  accountId,
  balance: Math.min(Number(balance), LARGEST),
});

function accountsOf({ trafficAccounts: accounts }: LedgerContext['participant']): TrafficAccounts {
  invariant(accounts !== undefined, 'the operations are served where there are accounts');
  return accounts;
}

const LONGEST = 255;

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
function requireShort(name: string, id: string): void {
  if (id.length <= LONGEST) return;
  throw protoDeserializationFailure(
    `InvariantViolation(Some(${name}),${tooLong(name, LONGEST, id)})`,
  );
}
