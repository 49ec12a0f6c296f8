/** A pending transfer, in both versions: it waits for the receiver while the sender's holding is locked. */
import type { Self, Update } from '../../daml/define/index.js';
import type { ImplementationMaker } from '../../daml/define/template.js';
import { some, type ContractId } from '../../daml/model/values.js';
import { lockIsThere } from '../holdings/context.js';
import {
  EMPTY_METADATA,
  instructionViewToV1,
  ownerOf,
  resultToV2,
} from '../holdings/conversions.js';
import { leg } from '../holdings/events.js';
import { resultMetadata } from '../holdings/result-metadata.js';
import type { ExtraArgs } from '../standard/metadata-v1.js';
import {
  TransferInstruction as TransferInstructionV1,
  TransferInstructionResultOutput as Output,
  type TransferInstructionResult,
} from '../standard/transfer-instruction-v1.js';
import {
  TransferInstruction,
  TransferInstructionAction,
  type Transfer,
  type TransferInstructionStep,
  type TransferInstructionView,
} from '../standard/transfer-instruction-v2.js';
import type { TransferCode } from './transfer-code.js';

interface Pending {
  readonly locked: ContractId;
  readonly transfer: Transfer;
}
type Step = 'Accept' | 'Reject' | 'Withdraw';

function viewOf({ transfer }: Pending): TransferInstructionView {
  const receiver = [[ownerOf(transfer.receiver)]];
  return {
    originalInstructionCid: null,
    transfer,
    expiresAt: some(transfer.executeBefore),
    availableActions: [
      [TransferInstructionAction.of('TIA_Accept', {}), receiver],
      [TransferInstructionAction.of('TIA_Reject', {}), receiver],
      [TransferInstructionAction.of('TIA_Withdraw', {}), [[ownerOf(transfer.sender)]]],
    ],
    meta: EMPTY_METADATA,
  };
}

/**
 * For `implements` of the pending transfer's template.
 * @param code called when a choice runs
 * @param read reads the transfer from a payload
 */
export const pendingTransfer =
  <P, Like>(code: () => TransferCode<Like>, read: (payload: P) => Pending) =>
  (implement: ImplementationMaker<P>) => {
    type Given = { readonly extraArgs: ExtraArgs };
    const back = ({ payload }: Self<P>, update: Update, { extraArgs }: Given) =>
      giveBack(code(), update, read(payload), extraArgs);
    /** Version 2's choices exercise those of version 1, which consume the contract and which wallets of both versions recognize. */
    const byV1 =
      (step: Step) =>
      (
        { payload, contractId }: Self<P>,
        update: Update,
        { actors, extraArgs }: TransferInstructionStep,
      ) => {
        const { sender, receiver } = read(payload).transfer;
        const actor = ownerOf(step === 'Withdraw' ? sender : receiver);
        const choice = `TransferInstruction_${step}` as const;
        update.assert(actors.includes(actor), code().words.actor(choice, actor));
        const result = update.exercise(TransferInstructionV1, contractId, choice, { extraArgs });
        return resultToV2(result);
      };
    return [
      implement(TransferInstructionV1, {
        view: (payload) => instructionViewToV1(viewOf(read(payload))),
        methods: {
          transferInstruction_acceptImpl: ({ payload }, update, { extraArgs }) =>
            accept(code(), update, read(payload), extraArgs),
          transferInstruction_rejectImpl: back,
          transferInstruction_withdrawImpl: back,
          transferInstruction_updateImpl: (_self, update) => update.fail(code().words.noUpdate),
        },
      }),
      implement(TransferInstruction, {
        view: (payload) => viewOf(read(payload)),
        methods: {
          transferInstruction_acceptImpl: byV1('Accept'),
          transferInstruction_rejectImpl: byV1('Reject'),
          transferInstruction_withdrawImpl: byV1('Withdraw'),
          transferInstruction_acceptExtraObservers: () => [],
          transferInstruction_rejectExtraObservers: () => [],
          transferInstruction_withdrawExtraObservers: () => [],
        },
      }),
    ];
  };

function accept<Like>(
  code: TransferCode<Like>,
  update: Update,
  { locked, transfer }: Pending,
  { context }: ExtraArgs,
): TransferInstructionResult {
  const { sender, receiver, instrumentId, amount, executeBefore } = transfer;
  const { admin, id } = instrumentId;
  update.assert(update.getTime() < executeBefore, code.words.expired);
  const report = code.begin(update, admin, context);
  const like = code.take(update, locked, transfer);
  const received = code.create(update, like, ownerOf(receiver), amount);
  const meta = resultMetadata('transfer', ownerOf(sender), transfer.meta);
  const sent = [leg('SenderSide', receiver, amount, id)];
  report({ account: sender, inputs: [locked], outputs: [], legs: sent, meta });
  const got = [leg('ReceiverSide', sender, amount, id)];
  report({ account: receiver, inputs: [], outputs: [received], legs: got, meta });
  return {
    output: Output.of('TransferInstructionResult_Completed', { receiverHoldingCids: [received] }),
    senderChangeCids: [],
    meta,
  };
}

/** Rejects or withdraws: the sender gets the amount back without the lock. The result's name is "failed", but this is not an error. */
function giveBack<Like>(
  code: TransferCode<Like>,
  update: Update,
  { locked, transfer }: Pending,
  { context }: ExtraArgs,
): TransferInstructionResult {
  const { sender: account, instrumentId, amount, executeBefore } = transfer;
  const report = code.begin(update, instrumentId.admin, context);
  const meta = resultMetadata('unlock', undefined, transfer.meta);
  const output = Output.of('TransferInstructionResult_Failed', {});
  if (!lockIsThere(update, context, code.expireLockKey)) {
    // The sender has already spent it, which requires that the lock has expired.
    update.assert(update.getTime() >= executeBefore, code.words.locked);
    return { output, senderChangeCids: [], meta };
  }
  const like = code.take(update, locked, transfer);
  const returned = code.create(update, like, ownerOf(account), amount);
  report({ account, inputs: [locked], outputs: [returned], legs: [], meta });
  return { output, senderChangeCids: [returned], meta };
}
