/**
 * Token standard transfers of the simplified Amulet: direct to the sender itself and to receivers with a preapproval, otherwise in two
 * steps with a locked amount.
 */
import { d, defineTemplate, type Update } from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { allocationFactories } from '../../token/allocations/factories.js';
import { factoryView, ownerOf, transferToV2 } from '../../token/holdings/conversions.js';
import { resultMetadata } from '../../token/holdings/result-metadata.js';
import { AllocationFactory as AllocationFactoryV1 } from '../../token/standard/allocation-instruction-v1.js';
import type { ChoiceContext } from '../../token/standard/metadata-v1.js';
import { Transfer as TransferV1 } from '../../token/standard/transfer-instruction-v1.js';
import {
  TransferInstructionResultOutput as Output,
  type Transfer,
  type TransferInstructionResult,
} from '../../token/standard/transfer-instruction-v2.js';
import { pendingTransfer } from '../../token/transfers/pending-transfer.js';
import type { TransferCode } from '../../token/transfers/transfer-code.js';
import { transferFactory } from '../../token/transfers/transfer-factory.js';
import { allocateObservers, allocateV1, allocateV2 } from './allocation-factory.js';
import { AMULET_ID, LockedAmulet, spend, type AmuletPayload } from './amulets.js';
import { checkFunds, createLike, EXPIRE_LOCK_KEY, takeLocked } from './locking.js';
import { send } from './preapprovals.js';

export const AmuletTransferInstruction = defineTemplate({
  name: 'Splice.AmuletTransferInstruction:AmuletTransferInstruction',
  fields: { lockedAmulet: d.contractId(LockedAmulet), transfer: TransferV1 },
  signatories: ({ transfer }) => [transfer.instrumentId.admin, transfer.sender],
  observers: ({ transfer }) => [transfer.receiver],
  implements: pendingTransfer(
    () => amuletTransfers,
    ({ lockedAmulet: locked, transfer }) => ({ locked, transfer: transferToV2(transfer) }),
  ),
});

const amuletTransfers: TransferCode<AmuletPayload> = {
  expireLockKey: EXPIRE_LOCK_KEY,
  words: {
    admin: (expected, actual) => `Expected admin ${expected} matches actual admin ${actual}`,
    actor: (choice, party) =>
      choice === 'TransferFactory_Transfer'
        ? `${party} is among the actors`
        : `${choice} takes ${party} as an actor`,
    instrument: (_transfer, dso) => `The instrument is ${AMULET_ID} of ${dso}`,
    account: () => 'Accounts are basic accounts',
    amount: () => 'Amount must be positive',
    requestedAt: 'transfer.requestedAt is in the past',
    executeBefore: 'transfer.executeBefore is in the future',
    inputs: 'At least one holding must be provided',
    expired: 'transfer.executeBefore is in the future',
    locked: 'lockedAmulet.lockExpiresAt is in the past',
    noUpdate: 'AmuletTransferInstruction does not support TransferInstruction_Update',
    lock: (receiver) => `transfer to '${receiver}'`,
  },
  moves: ({ admin, id }, dso) => admin === dso && id === AMULET_ID,
  // There are no events for changes of holdings.
  begin: () => () => undefined,
  spend: (update, { sender, instrumentId, inputHoldingCids }) =>
    spend(update, inputHoldingCids, { dso: instrumentId.admin, owner: ownerOf(sender) }),
  take: takeLocked,
  create: createLike,
  offer: (update, transfer, lockedAmulet) => {
    const [sender, receiver] = [ownerOf(transfer.sender), ownerOf(transfer.receiver)];
    const made = { lockedAmulet, transfer: { ...transfer, sender, receiver } };
    return update.create(AmuletTransferInstruction, made);
  },
  checkFunds,
  payPreapproved,
};

function payPreapproved(
  update: Update,
  { inputHoldingCids: inputs, amount, meta, ...accounts }: Transfer,
  { values }: ChoiceContext,
): TransferInstructionResult | undefined {
  const preapproval = values.get('transfer-preapproval');
  if (preapproval?.tag !== 'AV_ContractId') return undefined;
  const [sender, receiver] = [ownerOf(accounts.sender), ownerOf(accounts.receiver)];
  const { received, change } = send(update, preapproval.value, {
    ...{ inputs, amount, sender, receiver },
  });
  return {
    output: Output.of('TransferInstructionResult_Completed', { receiverHoldingCids: [received] }),
    senderChangeCids: change,
    meta: resultMetadata('transfer', sender, meta),
  };
}

/** The factory of transfers and allocations. It also settles allocations in batches. */
export const ExternalPartyAmuletRules = defineTemplate({
  name: 'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules',
  fields: { dso: d.party },
  signatories: ({ dso }) => [dso],
  implements: (implement) => {
    const checked = (update: Update, dso: Party, expected: Party): Party => {
      update.assert(dso === expected, amuletTransfers.words.admin(expected, dso));
      return dso;
    };
    const allocating = { allocate: allocateV2, observers: allocateObservers };
    return [
      ...transferFactory(amuletTransfers, dsoOf)(implement),
      implement(AllocationFactoryV1, {
        view: ({ dso }) => factoryView(dso),
        methods: {
          allocationFactory_allocateImpl: ({ payload: { dso } }, update, given) =>
            allocateV1(update, checked(update, dso, given.expectedAdmin), given),
          allocationFactory_publicFetchImpl: ({ payload: { dso } }, update, { expectedAdmin }) =>
            factoryView(checked(update, dso, expectedAdmin)),
        },
      }),
      ...allocationFactories(dsoOf, allocating)(implement),
    ];
  },
});

function dsoOf({ dso }: { readonly dso: Party }): Party {
  return dso;
}
