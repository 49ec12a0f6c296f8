/** The status of transfers that external parties signed ahead, from the choices on the commands (S-PRE-006, S-PRE-007). */
import { Numeric } from '../../daml/model/numeric.js';
import type { ExerciseNode } from '../../daml/model/transaction.js';
import {
  DamlVariant,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
} from '../../daml/model/values.js';
import { isOf } from '../dso/amulet-contracts.js';
import { HistoryDigest } from './history-digest.js';
import type { ScanViewpoint } from './scan-view.js';

export type TransferCommandStatus =
  | { readonly kind: 'created' | 'sent' | 'expired' | 'withdrawn' }
  | { readonly kind: 'failed'; readonly reason: string };

interface Change {
  readonly contractId: ContractId;
  readonly sender: Party;
  readonly nonce: bigint;
  readonly status: TransferCommandStatus;
}

/** The maximum number of commands with one sender and nonce. */
const MOST = 100;

export class TransferCommands {
  private readonly changes: HistoryDigest<Change>;

  constructor(viewpoint: ScanViewpoint) {
    this.changes = new HistoryDigest(viewpoint, (node) =>
      node.kind === 'exercise' ? changeBy(node) : undefined,
    );
  }

  /** The latest status of each command, by contract id. */
  statuses(sender: Party, nonce: bigint): ReadonlyMap<ContractId, TransferCommandStatus> {
    const statuses = new Map<ContractId, TransferCommandStatus>();
    for (const change of this.changes.all())
      if (change.sender === sender && change.nonce === nonce)
        statuses.set(change.contractId, change.status);
    return new Map([...statuses].slice(0, MOST));
  }
}

function changeBy({ choice, contract, argument, result }: ExerciseNode): Change | undefined {
  if (isOf(contract, 'externalPartyRules')) {
    if (choice !== 'ExternalPartyAmuletRules_CreateTransferCommand') return undefined;
    const { sender, nonce } = argument as { readonly sender: Party; readonly nonce: bigint };
    const contractId = (result as DamlRecord).transferCommandCid as ContractId;
    return { contractId, sender, nonce, status: { kind: 'created' } };
  }
  if (!isOf(contract, 'transferCommand')) return undefined;
  const status = statusAfter(choice, result);
  if (status === undefined) return undefined;
  const { sender, nonce } = contract.payload as { readonly sender: Party; readonly nonce: bigint };
  return { contractId: contract.contractId, sender, nonce, status };
}

function statusAfter(choice: string, result: DamlValue): TransferCommandStatus | undefined {
  if (choice === 'TransferCommand_Withdraw') return { kind: 'withdrawn' };
  if (choice === 'TransferCommand_Expire') return { kind: 'expired' };
  if (choice !== 'TransferCommand_Send') return undefined;
  const { tag, value } = (result as DamlRecord).result as DamlVariant<DamlRecord>;
  if (tag !== 'TransferCommandResultFailure') return { kind: 'sent' };
  return { kind: 'failed', reason: reasonText(value.reason as DamlVariant) };
}

/** Formats the reason like the Java class that Splice generates for it. */
function reasonText({ tag, value }: DamlVariant): string {
  const fields = isRecord(value) ? Object.values(value) : [value];
  return `org.lfdecentralizedtrust.splice.codegen.java.splice.amuletrules.invalidtransferreason.${tag}(${fields.map(fieldText).join(', ')})`;
}

function isRecord(value: DamlValue): value is DamlRecord {
  return typeof value === 'object' && value !== null && !(value instanceof Numeric);
}

function fieldText(value: DamlValue): string {
  return value instanceof DamlVariant ? value.tag : String(value);
}
