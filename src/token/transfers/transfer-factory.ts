/**
 * The factory of transfers, in both versions. After its checks, it merges or splits (if sender and receiver are equal), pays by
 * preapproval, or makes an offer and locks its amount.
 */
import type { Update } from '../../daml/define/index.js';
import type { ImplementationMaker } from '../../daml/define/template.js';
import { some, type Party } from '../../daml/model/values.js';
import {
  EMPTY_METADATA,
  factoryView,
  isBasicAccount,
  ownerOf,
  resultToV1,
  transferToV2,
} from '../holdings/conversions.js';
import { resultMetadata } from '../holdings/result-metadata.js';
import type { ExtraArgs } from '../standard/metadata-v1.js';
import { TransferFactory as TransferFactoryV1 } from '../standard/transfer-instruction-v1.js';
import {
  TransferFactory,
  TransferInstructionResultOutput as Output,
  type Transfer,
  type TransferInstructionResult,
} from '../standard/transfer-instruction-v2.js';
import type { TransferCode } from './transfer-code.js';

/**
 * For `implements` of the factory's template.
 * @param adminOf reads the admin from the payload
 */
export const transferFactory =
  <P, Like>(code: TransferCode<Like>, adminOf: (payload: P) => Party) =>
  (implement: ImplementationMaker<P>) => {
    /** Protects a client against a factory of another admin. */
    const checked = (update: Update, payload: P, expected: Party): Party => {
      const admin = adminOf(payload);
      update.assert(admin === expected, code.words.admin(expected, admin));
      return admin;
    };
    const view = (payload: P) => factoryView(adminOf(payload));
    return [
      implement(TransferFactoryV1, {
        view,
        methods: {
          transferFactory_transferImpl: ({ payload }, update, given) => {
            const admin = checked(update, payload, given.expectedAdmin);
            const transfer = transferToV2(given.transfer);
            return resultToV1(instruct(code, update, admin, transfer, given.extraArgs));
          },
          transferFactory_publicFetchImpl: ({ payload }, update, { expectedAdmin }) =>
            factoryView(checked(update, payload, expectedAdmin)),
        },
      }),
      implement(TransferFactory, {
        view,
        methods: {
          transferFactory_transferImpl: ({ payload }, update, { transfer, actors, extraArgs }) => {
            const sender = ownerOf(transfer.sender);
            const message = code.words.actor('TransferFactory_Transfer', sender);
            update.assert(actors.includes(sender), message);
            return instruct(code, update, adminOf(payload), transfer, extraArgs);
          },
          transferFactory_publicFetchImpl: ({ payload }) => view(payload),
          transferFactory_transferExtraObservers: () => [],
        },
      }),
    ];
  };

function instruct<Like>(
  code: TransferCode<Like>,
  update: Update,
  admin: Party,
  transfer: Transfer,
  { context }: ExtraArgs,
): TransferInstructionResult {
  check(code, update, admin, transfer);
  const { amount, executeBefore, inputHoldingCids: inputs, sender: account } = transfer;
  const [sender, receiver] = [ownerOf(account), ownerOf(transfer.receiver)];
  const isToSelf = sender === receiver;
  const paid = isToSelf ? undefined : code.payPreapproved?.(update, transfer, context);
  if (paid !== undefined) return paid;
  const report = code.begin(update, admin, context);
  const { total, like } = code.spend(update, transfer);
  code.checkFunds(update, total, amount);
  const left = total.subtract(amount);
  const senderChangeCids = left.sign() > 0 ? [code.create(update, like, sender, left)] : [];
  const meta = isToSelf ? resultMetadata('merge-split', undefined, transfer.meta) : EMPTY_METADATA;
  const lock = {
    ...{ holders: [admin], expiresAt: some(executeBefore), expiresAfter: null },
    context: some(code.words.lock(receiver)),
  };
  const made = code.create(update, like, sender, amount, isToSelf ? undefined : lock);
  const output = isToSelf
    ? Output.of('TransferInstructionResult_Completed', { receiverHoldingCids: [made] })
    : Output.of('TransferInstructionResult_Pending', {
        transferInstructionCid: code.offer(update, { ...transfer, inputHoldingCids: [made] }, made),
      });
  report({ account, inputs, outputs: [made, ...senderChangeCids], legs: [], meta });
  return { output, senderChangeCids, meta };
}

function check<Like>(
  { words, moves }: TransferCode<Like>,
  update: Update,
  admin: Party,
  transfer: Transfer,
): void {
  const { amount, requestedAt, executeBefore, inputHoldingCids } = transfer;
  const now = update.getTime();
  update.assert(moves(transfer.instrumentId, admin), words.instrument(transfer, admin));
  for (const field of ['sender', 'receiver'] as const)
    update.assert(isBasicAccount(transfer[field]), words.account(field));
  update.assert(amount.sign() > 0, words.amount(amount));
  update.assert(requestedAt <= now, words.requestedAt);
  update.assert(now < executeBefore, words.executeBefore);
  update.assert(inputHoldingCids.length > 0, words.inputs);
}
