/** A user's wallet at its validator, as the model has it: it taps, and does what is to be done about transfers of the token standard. */
import { d, defineTemplate, type Update, type ValueOf } from '../../daml/define/index.js';
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
import { Amulet } from './amulets.js';
import { PaymentContext, TransferInput, TransferPreapproval } from './preapprovals.js';

const MODULE = 'Splice.Wallet.Install';

const Operation = d.variant(`${MODULE}:AmuletOperation`, {
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
});
const Outcome = d.variant(`${MODULE}:AmuletOperationOutcome`, {
  COO_Tap: d.contractId(Amulet),
  COO_AcceptTransferPreapprovalProposal: d.contractId(TransferPreapproval),
  COO_RenewTransferPreapproval: d.contractId(TransferPreapproval),
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

type Operation = ValueOf<typeof Operation>;
type Context = ValueOf<typeof PaymentContext>;

function perform(update: Update, operation: Operation, context: Context, receiver: Party) {
  switch (operation.tag) {
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

interface Install {
  readonly endUserParty: Party;
}

function checkOwn(update: Update, { endUserParty }: Install, party: Party, role: string): void {
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
        run: (update, { payload }, { context, operations }) => {
          const { endUserName, endUserParty } = payload;
          const outcomes = operations.map((operation) =>
            perform(update, operation, context, endUserParty),
          );
          return { endUserName, outcomes, optEndUserParty: some(endUserParty) };
        },
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
