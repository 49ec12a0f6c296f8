/**
 * Conversions between versions 1 and 2 of the token standard, as one contract implements both. Metadata under `cip-112/…` carries the
 * account data that version 1 has no field for.
 */
import { Some, some, type Party } from '../../daml/model/values.js';
import type { HoldingView as HoldingViewV1 } from '../standard/holding-v1.js';
import type { Account, HoldingView } from '../standard/holding-v2.js';
import type { Metadata } from '../standard/metadata-v1.js';
import {
  TransferInstructionStatus,
  TransferInstructionResultOutput as OutputV1,
  type Transfer as TransferV1,
  type TransferInstructionResult as ResultV1,
  type TransferInstructionView as InstructionViewV1,
} from '../standard/transfer-instruction-v1.js';
import {
  TransferInstructionResultOutput as OutputV2,
  type Transfer,
  type TransferInstructionResult as ResultV2,
  type TransferInstructionView,
} from '../standard/transfer-instruction-v2.js';

const NAMESPACE = 'cip-112/';
/** The version 1 party of an account without an owner. */
const NO_OWNER: Party = `cip-112_no-owner::1220${'0'.repeat(60)}abcd`;

export const EMPTY_METADATA: Metadata = { values: new Map() };

/** The interface view of a factory. */
export const factoryView = (admin: Party) => ({ admin, meta: EMPTY_METADATA });

export function metadata(entries: readonly (readonly [string, string])[]): Metadata {
  return { values: new Map([...entries].sort(([left], [right]) => (left < right ? -1 : 1))) };
}

function withEntries(meta: Metadata, entries: readonly (readonly [string, string])[]): Metadata {
  return metadata([...new Map([...meta.values, ...entries])]);
}

/** The account of a version 1 party: an owner, without provider and id. */
export function basicAccount(owner: Party): Account {
  return { owner: some(owner), provider: null, id: '' };
}

export function isBasicAccount(account: Account): boolean {
  return account.owner !== null && account.provider === null && account.id === '';
}

export function ownerOf(account: Account): Party {
  return account.owner?.value ?? NO_OWNER;
}

function accountEntries(field: string, account: Account): readonly (readonly [string, string])[] {
  return [
    ...(account.provider === null
      ? []
      : [[`${NAMESPACE}${field}.provider`, account.provider.value] as const]),
    ...(account.id === '' ? [] : [[`${NAMESPACE}${field}.id`, account.id] as const]),
  ];
}

/** Whether metadata has account data that belongs in the account's own fields. */
export function hasAccountEntries(field: string, { values }: Metadata): boolean {
  return ['provider', 'id'].some((part) => values.has(`${NAMESPACE}${field}.${part}`));
}

export function holdingViewToV1(view: HoldingView): HoldingViewV1 {
  const { account, instrumentId, amount, lock, meta } = view;
  return {
    owner: ownerOf(account),
    instrumentId,
    amount,
    lock,
    meta: withEntries(meta, accountEntries('account', account)),
  };
}

function transferToV1(transfer: Transfer): TransferV1 {
  const { sender, receiver, meta } = transfer;
  return {
    ...transfer,
    sender: ownerOf(sender),
    receiver: ownerOf(receiver),
    meta: withEntries(meta, [
      ...accountEntries('sender', sender),
      ...accountEntries('receiver', receiver),
    ]),
  };
}

/** A version 1 transfer is a transfer between basic accounts. */
export function transferToV2(transfer: TransferV1): Transfer {
  return {
    ...transfer,
    sender: basicAccount(transfer.sender),
    receiver: basicAccount(transfer.receiver),
  };
}

/** Pending acceptance if and only if the receiver alone may accept. */
export function instructionViewToV1(view: TransferInstructionView): InstructionViewV1 {
  const receiver = ownerOf(view.transfer.receiver);
  const accept = view.availableActions.find(([action]) => action.tag === 'TIA_Accept')?.[1] ?? [];
  const awaitsReceiver = accept.some((group) => group.length === 1 && group[0] === receiver);
  const { originalInstructionCid, transfer, expiresAt, meta } = view;
  return {
    originalInstructionCid,
    transfer: transferToV1(transfer),
    status: awaitsReceiver
      ? TransferInstructionStatus.of('TransferPendingReceiverAcceptance', {})
      : TransferInstructionStatus.of('TransferPendingInternalWorkflow', { pendingActions: [] }),
    meta:
      expiresAt instanceof Some
        ? withEntries(meta, [[`${NAMESPACE}expiresAt`, expiresAt.value.toString()]])
        : meta,
  };
}

/** Both versions share contract ids, so that only the constructors' types differ. */
export function resultToV1({ output, senderChangeCids, meta }: ResultV2): ResultV1 {
  return { output: OutputV1.of(output.tag, output.value as never), senderChangeCids, meta };
}

export function resultToV2({ output, senderChangeCids, meta }: ResultV1): ResultV2 {
  return { output: OutputV2.of(output.tag, output.value as never), senderChangeCids, meta };
}
