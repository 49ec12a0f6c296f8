/** A user's wallet at its validator in the simplified Amulet: it taps, and exercises the choices of token standard transfers. */
import {
  d,
  defineTemplate,
  tuple2,
  type Type,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Fields } from '../../daml/define/types.js';
import { parties } from '../../daml/model/parties.js';
import { some, type ContractId, type DamlRecord, type Party } from '../../daml/model/values.js';
import { ExtraArgs } from '../../token/standard/metadata-v1.js';
import {
  TransferInstruction as InstructionV1,
  TransferInstructionResult as ResultV1,
} from '../../token/standard/transfer-instruction-v1.js';
import {
  TransferInstruction,
  TransferInstructionResult as ResultV2,
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

/** NOTE: each operation gets all inputs of the batch, because Canticle's wallets run one operation per batch. */
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

type Step = 'Accept' | 'Reject' | 'Withdraw';
const StepV1 = d.record(`${MODULE}:StepV1`, { extraArgs: ExtraArgs });
const StepV2 = d.record(`${MODULE}:StepV2`, { actors: d.list(d.party), extraArgs: ExtraArgs });

function checkOwn(
  update: Update,
  { endUserParty }: Pick<Install, 'endUserParty'>,
  party: Party,
  role: string,
): void {
  update.assert(party === endUserParty, `${role} ${party} must match endUserParty ${endUserParty}`);
}

type Own = Pick<typeof TransferOffer, 'id' | 'name'> & { readonly type: Type<unknown> };

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
    /**
     * A choice that the user exercises on a contract of the wallet.
     * @param own arguments that the wallet adds
     */
    const passOn = <R, RJ>(
      on: Own,
      verb: string,
      result: Type<R, RJ>,
      more: Fields = {},
      own: (install: Install) => object = () => ({}),
    ) =>
      choice({
        ...byValidator,
        argument: { cid: d.contractId(on), ...more },
        result,
        run: (update, { payload }, { cid, ...given }) => {
          const argument = { ...given, ...own(payload) } as DamlRecord;
          const name = `${on.name.split(':')[1]}_${verb}`;
          return update.untyped.exercise(on.id, cid as ContractId, name, argument) as R;
        },
      });
    const accepted = AcceptedTransferOffer;
    const reason = { reason: d.text };
    const expire = (on: Own) =>
      passOn(on, 'Expire', Ended, {}, ({ endUserParty: actor }) => ({ actor }));
    const step = <A, AJ, R, RJ>(
      on: typeof InstructionV1 | typeof TransferInstruction,
      name: Step,
      given: Type<A, AJ>,
      result: Type<R, RJ>,
      check: (update: Update, install: Install, cid: ContractId, argument: A) => void,
    ) => {
      const argumentName = `${name.toLowerCase()}Arg`;
      return choice({
        ...byValidator,
        argument: { transferInstructionCid: d.contractId(on), [argumentName]: given },
        result,
        run: (update, { payload }, { transferInstructionCid: cid, [argumentName]: argument }) => {
          check(update, payload, cid as ContractId, argument as A);
          const of = `TransferInstruction_${name}`;
          return update.untyped.exercise(on.id, cid as ContractId, of, argument as DamlRecord) as R;
        },
      });
    };
    const stepV1 = (name: Step) =>
      step(InstructionV1, name, StepV1, ResultV1, (update, install, cid) => {
        const role = name === 'Withdraw' ? 'sender' : 'receiver';
        checkOwn(update, install, update.fetchView(InstructionV1, cid).view.transfer[role], role);
      });
    const stepV2 = (name: Step) =>
      step(TransferInstruction, name, StepV2, ResultV2, (update, install, _cid, { actors }) =>
        checkOwn(update, install, actors[0]!, 'actor'),
      );
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
      WalletAppInstall_TransferOffer_Accept: passOn(
        TransferOffer,
        'Accept',
        d.record(`${MODULE}:WalletAppInstall_TransferOffer_AcceptResult`, {
          acceptedTransferOffer: d.contractId(AcceptedTransferOffer),
        }),
      ),
      WalletAppInstall_TransferOffer_Reject: passOn(TransferOffer, 'Reject', Ended),
      WalletAppInstall_TransferOffer_Withdraw: passOn(TransferOffer, 'Withdraw', Ended, reason),
      WalletAppInstall_TransferOffer_Expire: expire(TransferOffer),
      WalletAppInstall_AcceptedTransferOffer_Abort: passOn(accepted, 'Abort', Ended, reason),
      WalletAppInstall_AcceptedTransferOffer_Withdraw: passOn(accepted, 'Withdraw', Ended, reason),
      WalletAppInstall_AcceptedTransferOffer_Expire: expire(accepted),
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
      WalletAppInstall_FeaturedAppRights_Cancel: passOn(FeaturedAppRight, 'Cancel', d.unit),
      WalletAppInstall_TransferInstruction_Accept: stepV1('Accept'),
      WalletAppInstall_TransferInstruction_Reject: stepV1('Reject'),
      WalletAppInstall_TransferInstruction_Withdraw: stepV1('Withdraw'),
      WalletAppInstall_TransferInstructionV2_Accept: stepV2('Accept'),
      WalletAppInstall_TransferInstructionV2_Reject: stepV2('Reject'),
      WalletAppInstall_TransferInstructionV2_Withdraw: stepV2('Withdraw'),
    };
  },
});

function validatorOf({ validatorParty }: { readonly validatorParty: Party }): readonly Party[] {
  return [validatorParty];
}
