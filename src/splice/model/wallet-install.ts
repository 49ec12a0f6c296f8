/** A user's wallet at its validator, as the model has it: it taps, and does what is to be done about transfers of the token standard. */
import { d, defineTemplate, tuple2, type Update, type ValueOf } from '../../daml/define/index.js';
import { parties } from '../../daml/model/parties.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { ExtraArgs } from '../../token/standard/metadata-v1.js';
import {
  TransferInstruction as InstructionV1,
  TransferInstructionResult as ResultV1,
} from '../../token/standard/transfer-instruction-v1.js';
import {
  TransferInstruction,
  TransferInstructionResult,
} from '../../token/standard/transfer-instruction-v2.js';
import { AmuletRules } from './amulet-rules.js';
import { Amulet, FeaturedAppRight } from './amulets.js';
import {
  AcceptedTransferOffer,
  Ended,
  PaymentAmount,
  TrackingInfo,
  TransferOffer,
} from './offers.js';
import { PaymentContext, TransferInput, TransferResult } from './payments.js';
import { TransferPreapproval } from './preapprovals.js';

const MODULE = 'Splice.Wallet.Install';

const Operation = d.variant(`${MODULE}:AmuletOperation`, {
  CO_CompleteAcceptedTransfer: d.contractId(AcceptedTransferOffer),
  CO_MergeTransferInputs: d.unit,
  CO_Tap: { tapAmount: d.numeric(10) },
  CO_AcceptTransferPreapprovalProposal: {
    preapprovalProposalCid: d.contractId(
      'Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal',
    ),
    expiresAt: d.timestamp,
  },
  CO_RenewTransferPreapproval: {
    previousApprovalCid: d.contractId(TransferPreapproval),
    newExpiresAt: d.timestamp,
  },
  CO_TransferPreapprovalSend: {
    transferPreapprovalCid: d.contractId(TransferPreapproval),
    providerFeaturedAppRightCid: d.optional(d.contractId(FeaturedAppRight)),
    amount: d.numeric(10),
    description: d.optional(d.text),
  },
});
const Outcome = d.variant(`${MODULE}:AmuletOperationOutcome`, {
  COO_CompleteAcceptedTransfer: tuple2(TransferResult, TrackingInfo),
  COO_MergeTransferInputs: d.optional(d.contractId(Amulet)),
  COO_Tap: d.contractId(Amulet),
  COO_AcceptTransferPreapprovalProposal: d.contractId(TransferPreapproval),
  COO_RenewTransferPreapproval: d.contractId(TransferPreapproval),
  COO_TransferPreapprovalSend: d.optional(d.contractId(Amulet)),
});
export const TransferPreapprovalProposal = defineTemplate({
  name: 'Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal',
  fields: { receiver: d.party, provider: d.party, expectedDso: d.optional(d.party) },
  signatories: ({ receiver }) => [receiver],
  observers: ({ provider }) => [provider],
  choices: (choice) => ({
    TransferPreapprovalProposal_Accept: choice({
      argument: { context: PaymentContext, expiresAt: d.timestamp },
      result: d.contractId(TransferPreapproval),
      controllers: ({ provider }) => [provider],
      run: (update, { payload: { receiver, provider } }, { context, expiresAt }) => {
        const choiceName = 'AmuletRules_CreateTransferPreapproval';
        const argument = { receiver, provider, expiresAt };
        return update.exercise(AmuletRules, context.amuletRules, choiceName, argument)
          .transferPreapprovalCid;
      },
    }),
  }),
});

interface Batch {
  readonly context: ValueOf<typeof PaymentContext>;
  readonly inputs: readonly ValueOf<typeof TransferInput>[];
}
interface Install {
  readonly dsoParty: Party;
  readonly endUserParty: Party;
  readonly validatorParty: Party;
}

/** NOTE: each operation is handed all of the batch's inputs, for the wallets of here put one into a batch. */
function perform(
  update: Update,
  operation: ValueOf<typeof Operation>,
  { context, inputs }: Batch,
  { endUserParty: receiver, dsoParty, validatorParty }: Install,
) {
  switch (operation.tag) {
    case 'CO_CompleteAcceptedTransfer': {
      const choice = 'AcceptedTransferOffer_Complete';
      const { transferResult, trackingInfo } = update.exercise(
        AcceptedTransferOffer,
        operation.value,
        choice,
        { inputs, transferContext: context, walletProvider: validatorParty },
      );
      return Outcome.of('COO_CompleteAcceptedTransfer', { _1: transferResult, _2: trackingInfo });
    }
    case 'CO_MergeTransferInputs': {
      const own = { sender: receiver, provider: receiver, inputs, outputs: [] };
      const choice = 'AmuletRules_Transfer';
      const merged = update.exercise(AmuletRules, context.amuletRules, choice, {
        transfer: { ...own, beneficiaries: null },
        context: context.context,
        expectedDso: some(dsoParty),
      });
      return Outcome.of('COO_MergeTransferInputs', merged.senderChangeAmulet);
    }
    case 'CO_Tap': {
      const { openMiningRound: openRound } = context.context;
      const argument = { receiver, amount: operation.value.tapAmount, openRound };
      const rules = context.amuletRules;
      const made = update.exercise(AmuletRules, rules, 'AmuletRules_DevNet_Tap', argument);
      return Outcome.of('COO_Tap', made.amuletSum.amulet);
    }
    case 'CO_AcceptTransferPreapprovalProposal': {
      const { preapprovalProposalCid: cid, expiresAt } = operation.value;
      const choice = 'TransferPreapprovalProposal_Accept';
      const argument = { context, expiresAt };
      return Outcome.of(
        'COO_AcceptTransferPreapprovalProposal',
        update.exercise(TransferPreapprovalProposal, cid, choice, argument),
      );
    }
    case 'CO_TransferPreapprovalSend': {
      const { transferPreapprovalCid: cid, amount, description } = operation.value;
      const argument = { inputs, amount, sender: receiver, description };
      const choice = 'TransferPreapproval_SendV2';
      const { result } = update.exercise(TransferPreapproval, cid, choice, argument);
      return Outcome.of('COO_TransferPreapprovalSend', result.senderChangeAmulet);
    }
    case 'CO_RenewTransferPreapproval': {
      const { previousApprovalCid: cid, newExpiresAt } = operation.value;
      const choice = 'TransferPreapproval_Renew';
      const argument = { context, inputs: [], newExpiresAt };
      const renewed = update.exercise(TransferPreapproval, cid, choice, argument);
      return Outcome.of('COO_RenewTransferPreapproval', renewed.transferPreapprovalCid);
    }
  }
}

const stepV1 = d.record(`${MODULE}:StepV1`, { extraArgs: ExtraArgs });
const stepV2 = d.record(`${MODULE}:StepV2`, { actors: d.list(d.party), extraArgs: ExtraArgs });

function checkOwn(
  update: Update,
  { endUserParty }: Pick<Install, 'endUserParty'>,
  party: Party,
  role: string,
): void {
  update.assert(party === endUserParty, `${role} ${party} must match endUserParty ${endUserParty}`);
}

function instructionOf(update: Update, cid: ContractId) {
  return update.fetchView(InstructionV1, cid).view.transfer;
}

export const WalletAppInstall = defineTemplate({
  name: `${MODULE}:WalletAppInstall`,
  fields: {
    dsoParty: d.party,
    validatorParty: d.party,
    endUserName: d.text,
    endUserParty: d.party,
  },
  signatories: ({ validatorParty, endUserParty }) => parties([validatorParty, endUserParty]),
  choices: (choice) => {
    const byValidator = { consuming: false, controllers: validatorOf } as const;
    const of = d.contractId(InstructionV1);
    const ofV2 = d.contractId(TransferInstruction);
    return {
      WalletAppInstall_ExecuteBatch: choice({
        ...byValidator,
        argument: {
          context: PaymentContext,
          inputs: d.list(TransferInput),
          operations: d.list(Operation),
        },
        result: d.record(`${MODULE}:WalletAppInstall_ExecuteBatchResult`, {
          endUserName: d.text,
          outcomes: d.list(Outcome),
          optEndUserParty: d.optional(d.party),
        }),
        run: (update, { payload }, { operations, ...batch }) => {
          const { endUserName, endUserParty } = payload;
          const outcomes = operations.map((operation) =>
            perform(update, operation, batch, payload),
          );
          return { endUserName, outcomes, optEndUserParty: some(endUserParty) };
        },
      }),
      WalletAppInstall_CreateTransferOffer: choice({
        ...byValidator,
        argument: {
          receiver: d.party,
          amount: PaymentAmount,
          description: d.text,
          expiresAt: d.timestamp,
          trackingId: d.text,
        },
        result: d.record(`${MODULE}:WalletAppInstall_CreateTransferOfferResult`, {
          transferOffer: d.contractId(TransferOffer),
        }),
        run: (update, { payload: { endUserParty: sender, dsoParty: dso } }, offer) => ({
          transferOffer: update.create(TransferOffer, { sender, dso, ...offer }),
        }),
      }),
      WalletAppInstall_TransferOffer_Accept: choice({
        ...byValidator,
        argument: { cid: d.contractId(TransferOffer) },
        result: d.record(`${MODULE}:WalletAppInstall_TransferOffer_AcceptResult`, {
          acceptedTransferOffer: d.contractId(AcceptedTransferOffer),
        }),
        run: (update, _install, { cid }) =>
          update.exercise(TransferOffer, cid, 'TransferOffer_Accept', {}),
      }),
      WalletAppInstall_TransferOffer_Reject: choice({
        ...byValidator,
        argument: { cid: d.contractId(TransferOffer) },
        result: Ended,
        run: (update, _install, { cid }) =>
          update.exercise(TransferOffer, cid, 'TransferOffer_Reject', {}),
      }),
      WalletAppInstall_TransferOffer_Withdraw: choice({
        ...byValidator,
        argument: { cid: d.contractId(TransferOffer), reason: d.text },
        result: Ended,
        run: (update, _install, { cid, reason }) =>
          update.exercise(TransferOffer, cid, 'TransferOffer_Withdraw', { reason }),
      }),
      WalletAppInstall_TransferOffer_Expire: choice({
        ...byValidator,
        argument: { cid: d.contractId(TransferOffer) },
        result: Ended,
        run: (update, { payload: { endUserParty: actor } }, { cid }) =>
          update.exercise(TransferOffer, cid, 'TransferOffer_Expire', { actor }),
      }),
      WalletAppInstall_AcceptedTransferOffer_Abort: choice({
        ...byValidator,
        argument: { cid: d.contractId(AcceptedTransferOffer), reason: d.text },
        result: Ended,
        run: (update, _install, { cid, reason }) =>
          update.exercise(AcceptedTransferOffer, cid, 'AcceptedTransferOffer_Abort', { reason }),
      }),
      WalletAppInstall_AcceptedTransferOffer_Withdraw: choice({
        ...byValidator,
        argument: { cid: d.contractId(AcceptedTransferOffer), reason: d.text },
        result: Ended,
        run: (update, _install, { cid, reason }) =>
          update.exercise(AcceptedTransferOffer, cid, 'AcceptedTransferOffer_Withdraw', { reason }),
      }),
      WalletAppInstall_AcceptedTransferOffer_Expire: choice({
        ...byValidator,
        argument: { cid: d.contractId(AcceptedTransferOffer) },
        result: Ended,
        run: (update, { payload: { endUserParty: actor } }, { cid }) =>
          update.exercise(AcceptedTransferOffer, cid, 'AcceptedTransferOffer_Expire', { actor }),
      }),
      WalletAppInstall_FeaturedAppRights_SelfGrant: choice({
        ...byValidator,
        argument: { amuletRulesCid: d.contractId(AmuletRules) },
        result: d.record(`${MODULE}:WalletAppInstall_FeaturedAppRights_SelfGrantResult`, {
          featuredAppRight: d.contractId(FeaturedAppRight),
        }),
        run: (update, { payload: { endUserParty: provider } }, { amuletRulesCid }) => {
          const choiceName = 'AmuletRules_DevNet_FeatureApp';
          const argument = { provider, activityWeight: null };
          const made = update.exercise(AmuletRules, amuletRulesCid, choiceName, argument);
          return { featuredAppRight: made.featuredAppRightCid };
        },
      }),
      WalletAppInstall_FeaturedAppRights_Cancel: choice({
        ...byValidator,
        argument: { cid: d.contractId(FeaturedAppRight) },
        result: d.unit,
        run: (update, _install, { cid }) =>
          update.exercise(FeaturedAppRight, cid, 'FeaturedAppRight_Cancel', {}),
      }),
      WalletAppInstall_TransferInstruction_Accept: choice({
        ...byValidator,
        argument: { transferInstructionCid: of, acceptArg: stepV1 },
        result: ResultV1,
        run: (update, { payload }, { transferInstructionCid: cid, acceptArg }) => {
          checkOwn(update, payload, instructionOf(update, cid).receiver, 'receiver');
          return update.exercise(InstructionV1, cid, 'TransferInstruction_Accept', acceptArg);
        },
      }),
      WalletAppInstall_TransferInstruction_Reject: choice({
        ...byValidator,
        argument: { transferInstructionCid: of, rejectArg: stepV1 },
        result: ResultV1,
        run: (update, { payload }, { transferInstructionCid: cid, rejectArg }) => {
          checkOwn(update, payload, instructionOf(update, cid).receiver, 'receiver');
          return update.exercise(InstructionV1, cid, 'TransferInstruction_Reject', rejectArg);
        },
      }),
      WalletAppInstall_TransferInstruction_Withdraw: choice({
        ...byValidator,
        argument: { transferInstructionCid: of, withdrawArg: stepV1 },
        result: ResultV1,
        run: (update, { payload }, { transferInstructionCid: cid, withdrawArg }) => {
          checkOwn(update, payload, instructionOf(update, cid).sender, 'sender');
          return update.exercise(InstructionV1, cid, 'TransferInstruction_Withdraw', withdrawArg);
        },
      }),
      WalletAppInstall_TransferInstructionV2_Accept: choice({
        ...byValidator,
        argument: { transferInstructionCid: ofV2, acceptArg: stepV2 },
        result: TransferInstructionResult,
        run: (update, { payload }, { transferInstructionCid: cid, acceptArg }) => {
          checkOwn(update, payload, acceptArg.actors[0]!, 'actor');
          return update.exercise(TransferInstruction, cid, 'TransferInstruction_Accept', acceptArg);
        },
      }),
      WalletAppInstall_TransferInstructionV2_Reject: choice({
        ...byValidator,
        argument: { transferInstructionCid: ofV2, rejectArg: stepV2 },
        result: TransferInstructionResult,
        run: (update, { payload }, { transferInstructionCid: cid, rejectArg }) => {
          checkOwn(update, payload, rejectArg.actors[0]!, 'actor');
          return update.exercise(TransferInstruction, cid, 'TransferInstruction_Reject', rejectArg);
        },
      }),
      WalletAppInstall_TransferInstructionV2_Withdraw: choice({
        ...byValidator,
        argument: { transferInstructionCid: ofV2, withdrawArg: stepV2 },
        result: TransferInstructionResult,
        run: (update, { payload }, { transferInstructionCid: cid, withdrawArg }) => {
          checkOwn(update, payload, withdrawArg.actors[0]!, 'actor');
          return update.exercise(
            TransferInstruction,
            cid,
            'TransferInstruction_Withdraw',
            withdrawArg,
          );
        },
      }),
    };
  },
});

function validatorOf({ validatorParty }: { readonly validatorParty: Party }): readonly Party[] {
  return [validatorParty];
}
