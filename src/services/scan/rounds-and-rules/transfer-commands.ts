/** Scan's endpoint for transfers that external parties signed ahead (S-PRE-006, S-PRE-007). */
import { abbreviatedId } from '../../../network/model/ids.js';
import type {
  LookupTransferCommandStatusResponse,
  TransferCommandContractStatus,
} from '../../../spec/generated/scan.js';
import type { Splice } from '../../../splice/splice.js';
import type { TransferCommandStatus } from '../../../splice/scan/transfer-commands.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { contractJson } from '../formats/contracts.js';
import { readParty } from '../formats/requests.js';

export const transferCommandHandlers = {
  lookupTransferCommandStatus: ({ splice }, { query }) => transferCommandStatus(splice, query),
} satisfies SomeHandlers<'scan'>;

export function transferCommandStatus(
  splice: Splice,
  { sender, nonce }: { readonly sender: string; readonly nonce: number },
): LookupTransferCommandStatusResponse {
  const statuses = [...splice.transferCommands.statuses(readParty(sender), BigInt(nonce))];
  // The store may have dropped ended commands.
  const found = statuses.flatMap(([contractId, status]) => {
    const instance = splice.network.contracts.get(contractId)?.instance;
    return instance === undefined ? [] : [{ contractId, instance, status }];
  });
  if (found.length === 0)
    throw new HttpRefusal(
      404,
      `Couldn't find transfer command for sender ${abbreviatedId(sender)} with nonce ${nonce} created in the last 24h`,
    );
  const commands = found.map(({ contractId, instance, status }) => [
    contractId,
    { contract: contractJson(splice, instance), status: statusBody(status) },
  ]);
  return { transfer_commands_by_contract_id: Object.fromEntries(commands) };
}

const FAILURES = {
  withdrawn: 'The TransferCommand has been withdrawn by the sender',
  expired: 'The TransferCommand has expired',
} as const;

function statusBody(status: TransferCommandStatus): TransferCommandContractStatus {
  switch (status.kind) {
    case 'created':
    case 'sent':
      return { status: status.kind };
    case 'failed':
      return { status: 'failed', failure_kind: 'failed', reason: status.reason };
    default:
      return { status: 'failed', failure_kind: status.kind, reason: FAILURES[status.kind] };
  }
}
