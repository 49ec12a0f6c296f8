/** The model's transfers by the token standard: at once to oneself and to whoever preapproved, else in two steps, with the amount locked. */
import {
  d,
  defineTemplate,
  type Self,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { some } from '../../daml/model/values.js';
import {
  EMPTY_METADATA,
  instructionViewToV1,
  isBasicAccount,
  ownerOf,
  resultToV1,
  resultToV2,
  transferToV2,
} from '../../token/holdings/conversions.js';
import { resultMetadata } from '../../token/holdings/result-metadata.js';
import { AllocationFactory as AllocationFactoryV1 } from '../../token/standard/allocation-instruction-v1.js';
import { AllocationFactory } from '../../token/standard/allocation-instruction-v2.js';
import { SettlementFactory } from '../../token/standard/allocation-v2.js';
import { settleBatch } from '../../token/allocations/settlements.js';
import type { ExtraArgs } from '../../token/standard/metadata-v1.js';
import {
  Transfer as TransferV1,
  TransferFactory as TransferFactoryV1,
  TransferInstruction as TransferInstructionV1,
  TransferInstructionResultOutput as Output,
  type TransferInstructionResult,
} from '../../token/standard/transfer-instruction-v1.js';
import {
  TransferFactory,
  TransferInstruction,
  TransferInstructionAction,
  TransferInstructionResultOutput as OutputV2,
  type Transfer,
  type TransferInstructionResult as ResultV2,
  type TransferInstructionStep,
} from '../../token/standard/transfer-instruction-v2.js';
import { send } from './preapprovals.js';
import { allocateObservers, allocateV1, allocateV2 } from './allocation-factory.js';
import { Amulet, AMULET_ID, amuletLike, LockedAmulet, spend } from './amulets.js';
import { insufficient, lock, takeLocked, unlock } from './locking.js';

const fields = { lockedAmulet: d.contractId(LockedAmulet), transfer: TransferV1 };
type Instruction = { readonly [K in keyof typeof fields]: ValueOf<(typeof fields)[K]> };
type Step = 'Accept' | 'Reject' | 'Withdraw';

function instructionView({ transfer }: Instruction) {
  const receiver = [[transfer.receiver]];
  return {
    originalInstructionCid: null,
    transfer: transferToV2(transfer),
    expiresAt: some(transfer.executeBefore),
    availableActions: [
      [TransferInstructionAction.of('TIA_Accept', {}), receiver],
      [TransferInstructionAction.of('TIA_Reject', {}), receiver],
      [TransferInstructionAction.of('TIA_Withdraw', {}), [[transfer.sender]]],
    ] as const,
    meta: EMPTY_METADATA,
  };
}

export const AmuletTransferInstruction = defineTemplate({
  name: 'Splice.AmuletTransferInstruction:AmuletTransferInstruction',
  fields,
  signatories: ({ transfer }) => [transfer.instrumentId.admin, transfer.sender],
  observers: ({ transfer }) => [transfer.receiver],
  implements: (implement) => [
    implement(TransferInstructionV1, {
      view: (instruction) => instructionViewToV1(instructionView(instruction)),
      methods: {
        transferInstruction_acceptImpl: ({ payload }, update) => accept(update, payload),
        transferInstruction_rejectImpl: ({ payload }, update, { extraArgs }) =>
          giveBack(update, payload, extraArgs),
        transferInstruction_withdrawImpl: ({ payload }, update, { extraArgs }) =>
          giveBack(update, payload, extraArgs),
        transferInstruction_updateImpl: (_self, update) =>
          update.fail('AmuletTransferInstruction does not support TransferInstruction_Update'),
      },
    }),
    implement(TransferInstruction, {
      view: instructionView,
      methods: {
        transferInstruction_acceptImpl: (self, update, step) => byV1(update, self, 'Accept', step),
        transferInstruction_rejectImpl: (self, update, step) => byV1(update, self, 'Reject', step),
        transferInstruction_withdrawImpl: (self, update, step) =>
          byV1(update, self, 'Withdraw', step),
        transferInstruction_acceptExtraObservers: () => [],
        transferInstruction_rejectExtraObservers: () => [],
        transferInstruction_withdrawExtraObservers: () => [],
      },
    }),
  ],
});

/** Version 2's choices act through version 1's, which consume. */
function byV1(
  update: Update,
  { payload: { transfer }, contractId }: Self<Instruction>,
  step: Step,
  { actors, extraArgs }: TransferInstructionStep,
): ResultV2 {
  const actor = step === 'Withdraw' ? transfer.sender : transfer.receiver;
  update.assert(actors.includes(actor), `TransferInstruction_${step} takes ${actor} as an actor`);
  const choice = `TransferInstruction_${step}` as const;
  return resultToV2(update.exercise(TransferInstructionV1, contractId, choice, { extraArgs }));
}

function accept(
  update: Update,
  { lockedAmulet, transfer }: Instruction,
): TransferInstructionResult {
  const { sender, receiver, amount, executeBefore } = transfer;
  update.assert(update.getTime() < executeBefore, 'transfer.executeBefore is in the future');
  const amulet = takeLocked(update, lockedAmulet);
  const received = update.create(Amulet, amuletLike(amulet, { owner: receiver, amount }));
  return {
    output: Output.of('TransferInstructionResult_Completed', { receiverHoldingCids: [received] }),
    senderChangeCids: [],
    meta: resultMetadata('transfer', sender, transfer.meta),
  };
}

/** Reject and withdraw. Once the time to accept is over the sender may have spent what was locked. */
function giveBack(
  update: Update,
  { lockedAmulet, transfer }: Instruction,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const senderChangeCids = unlock(update, lockedAmulet, transfer.executeBefore, extraArgs);
  return {
    output: Output.of('TransferInstructionResult_Failed', {}),
    senderChangeCids,
    meta: resultMetadata('unlock', undefined, transfer.meta),
  };
}

/** The factory of transfers and of allocations, which it settles in batches, too. */
export const ExternalPartyAmuletRules = defineTemplate({
  name: 'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules',
  fields: { dso: d.party },
  signatories: ({ dso }) => [dso],
  implements: (implement) => [
    implement(TransferFactoryV1, {
      view: factoryView,
      methods: {
        transferFactory_transferImpl: ({ payload: { dso } }, update, argument) => {
          checkAdmin(update, dso, argument.expectedAdmin);
          const { transfer, extraArgs } = argument;
          return resultToV1(instruct(update, dso, transferToV2(transfer), extraArgs));
        },
        transferFactory_publicFetchImpl: ({ payload }, update, { expectedAdmin }) => {
          checkAdmin(update, payload.dso, expectedAdmin);
          return factoryView(payload);
        },
      },
    }),
    implement(TransferFactory, {
      view: factoryView,
      methods: {
        transferFactory_transferImpl: (
          { payload: { dso } },
          update,
          { transfer, actors, extraArgs },
        ) => {
          const sender = ownerOf(transfer.sender);
          update.assert(actors.includes(sender), `${sender} is among the actors`);
          return instruct(update, dso, transfer, extraArgs);
        },
        transferFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        transferFactory_transferExtraObservers: () => [],
      },
    }),
    implement(AllocationFactoryV1, {
      view: factoryView,
      methods: {
        allocationFactory_allocateImpl: ({ payload: { dso } }, update, argument) => {
          checkAdmin(update, dso, argument.expectedAdmin);
          return allocateV1(update, dso, argument);
        },
        allocationFactory_publicFetchImpl: ({ payload }, update, { expectedAdmin }) => {
          checkAdmin(update, payload.dso, expectedAdmin);
          return factoryView(payload);
        },
      },
    }),
    implement(AllocationFactory, {
      view: factoryView,
      methods: {
        allocationFactory_allocateImpl: ({ payload }, update, argument) =>
          allocateV2(update, payload.dso, argument),
        allocationFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        allocationFactory_allocateExtraObservers: (_self, argument) => allocateObservers(argument),
      },
    }),
    implement(SettlementFactory, {
      view: factoryView,
      methods: {
        settlementFactory_settleBatchImpl: ({ payload }, update, argument) =>
          settleBatch(update, payload.dso, argument),
        settlementFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        settlementFactory_settleBatchExtraObservers: () => [],
      },
    }),
  ],
});

function factoryView({ dso }: { readonly dso: Party }) {
  return { admin: dso, meta: EMPTY_METADATA };
}

function checkAdmin(update: Update, dso: Party, expected: Party): void {
  update.assert(dso === expected, `Expected admin ${expected} matches actual admin ${dso}`);
}

function instruct(
  update: Update,
  dso: Party,
  transfer: Transfer,
  { context }: ExtraArgs,
): ResultV2 {
  checkTransfer(update, dso, transfer);
  const { amount, inputHoldingCids, executeBefore, meta } = transfer;
  const [sender, receiver] = [ownerOf(transfer.sender), ownerOf(transfer.receiver)];
  const preapproval = context.values.get('transfer-preapproval');
  if (preapproval?.tag === 'AV_ContractId' && sender !== receiver) {
    const payment = { inputs: inputHoldingCids, amount, sender, receiver };
    const { received, change } = send(update, preapproval.value, payment);
    return {
      output: OutputV2.of('TransferInstructionResult_Completed', {
        receiverHoldingCids: [received],
      }),
      senderChangeCids: change,
      meta: resultMetadata('transfer', sender, meta),
    };
  }
  if (sender === receiver) {
    const { total, like } = spend(update, inputHoldingCids, { dso, owner: sender });
    const left = total.subtract(amount);
    if (left.sign() < 0) insufficient(update, total, amount);
    const rest = left.sign() > 0 ? [update.create(Amulet, amuletLike(like, { amount: left }))] : [];
    const receiverHoldingCids = [update.create(Amulet, amuletLike(like, { amount }))];
    return {
      output: OutputV2.of('TransferInstructionResult_Completed', { receiverHoldingCids }),
      senderChangeCids: rest,
      meta: resultMetadata('merge-split', undefined, meta),
    };
  }
  const { locked: lockedAmulet, change } = lock(update, {
    ...{ dso, owner: sender, inputs: inputHoldingCids, amount, expiresAt: executeBefore },
    context: `transfer to '${receiver}'`,
  });
  const transferInstructionCid = update.create(AmuletTransferInstruction, {
    lockedAmulet,
    transfer: { ...transfer, sender, receiver, inputHoldingCids: [lockedAmulet] },
  });
  return {
    output: OutputV2.of('TransferInstructionResult_Pending', { transferInstructionCid }),
    senderChangeCids: change,
    meta: EMPTY_METADATA,
  };
}

function checkTransfer(update: Update, dso: Party, transfer: Transfer): void {
  const { instrumentId, amount, requestedAt, executeBefore, inputHoldingCids } = transfer;
  const now = update.getTime();
  const isOfAmulet = instrumentId.admin === dso && instrumentId.id === AMULET_ID;
  update.assert(isOfAmulet, `The instrument is ${AMULET_ID} of ${dso}`);
  for (const account of [transfer.sender, transfer.receiver])
    update.assert(isBasicAccount(account), 'Accounts are basic accounts');
  update.assert(amount.sign() > 0, 'Amount must be positive');
  update.assert(requestedAt <= now, 'transfer.requestedAt is in the past');
  update.assert(now < executeBefore, 'transfer.executeBefore is in the future');
  update.assert(inputHoldingCids.length > 0, 'At least one holding must be provided');
}
