/** The registry's transfer-instruction API, versions 1 and 2 (R-TI-*, R-V2-*). */
import type {
  GetFactoryRequest,
  TransferFactoryWithChoiceContext,
  ChoiceContext,
} from '../../spec/generated/registry.js';
import {
  amuletInstructionContext,
  amuletTransferFactory,
  type AmuletTransferFactory,
} from '../../splice/registry/amulet-registry.js';
import { isBasicAccount, ownerOf } from '../../token/holdings/conversions.js';
import { TransferOffer } from '../../token/transfers/transfer-offer.js';
import {
  TRANSFER_ARGUMENT_TYPES,
  instructionContext,
  transferFactoryV1,
  transferFactoryV2,
  type InstructionStep,
  type RegistryAnswer,
  type TransferFactoryAnswer,
} from '../../token/registry/registry.js';
import type { TransferFactoryTransfer as ArgumentsV1 } from '../../token/standard/transfer-instruction-v1.js';
import type { TransferFactoryTransfer as ArgumentsV2 } from '../../token/standard/transfer-instruction-v2.js';
import type { ScanContext, SomeHandlers } from '../handler.js';
import { answered, choiceContext } from './choice-contexts.js';
import { factoryArguments } from './factory-arguments.js';
import { isAmuletContract, isOfAmulet, tokenLedger, type Splice } from './tokens.js';

const TRANSFER = '`TransferFactory_Transfer`';

interface StepInput {
  readonly path: { readonly transferInstructionId: string };
  readonly body: { readonly excludeDebugFields?: boolean };
}

const step =
  (name: InstructionStep) =>
  ({ splice }: ScanContext, { path, body }: StepInput): ChoiceContext => {
    const { transferInstructionId: id } = path;
    const answer = answered(
      isAmuletContract(splice, id, TransferOffer.id)
        ? amuletInstructionContext(splice, id, name)
        : instructionContext(tokenLedger(splice), id, name),
    );
    return choiceContext(splice, answer, body.excludeDebugFields);
  };

export const transferInstructionHandlers = {
  getTransferFactory: ({ splice }, { body }) => {
    const given = factoryArguments<ArgumentsV1>(
      splice.packages,
      TRANSFER,
      TRANSFER_ARGUMENT_TYPES.v1,
      body,
    );
    const answer = isOfAmulet(splice, [given.transfer.instrumentId.id])
      ? amuletTransferFactory(splice, given.transfer)
      : transferFactoryV1(tokenLedger(splice), given);
    return factory(splice, answer, body);
  },
  getTransferInstructionAcceptContext: step('accept'),
  getTransferInstructionRejectContext: step('reject'),
  getTransferInstructionWithdrawContext: step('withdraw'),
  getTransferFactoryV2: ({ splice }, { body }) => {
    const given = factoryArguments<ArgumentsV2>(
      splice.packages,
      TRANSFER,
      TRANSFER_ARGUMENT_TYPES.v2,
      body,
    );
    const answer = isOfAmulet(splice, [given.transfer.instrumentId.id])
      ? amuletTransferFactoryV2(splice, given)
      : transferFactoryV2(tokenLedger(splice), given);
    return factory(splice, answer, body);
  },
  getTransferInstructionAcceptContextV2: step('accept'),
  getTransferInstructionRejectContextV2: step('reject'),
  getTransferInstructionWithdrawContextV2: step('withdraw'),
} satisfies SomeHandlers<'registry'>;

function amuletTransferFactoryV2(
  splice: Splice,
  { transfer: { sender, receiver } }: ArgumentsV2,
): RegistryAnswer<AmuletTransferFactory> {
  // NOTE: this text is Canticle's. Splice 0.7.4 checks the owner only, and fails without one.
  const message =
    'Only accounts with an owner and without provider and id are supported by this registry.';
  if (!isBasicAccount(sender) || !isBasicAccount(receiver))
    return { ok: false, refusal: { kind: 'invalid', message } };
  const parties = { sender: ownerOf(sender), receiver: ownerOf(receiver) };
  return amuletTransferFactory(splice, parties);
}

function factory(
  splice: Splice,
  answer: RegistryAnswer<TransferFactoryAnswer | AmuletTransferFactory>,
  { excludeDebugFields }: GetFactoryRequest,
): TransferFactoryWithChoiceContext {
  const found = answered(answer);
  const { factoryId, transferKind } = found;
  return {
    factoryId,
    transferKind,
    choiceContext: choiceContext(splice, found, excludeDebugFields),
  };
}
