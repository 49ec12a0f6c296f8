/**
 * Changes a wallet's holdings with batches of amulet operations. A batch is one transaction: the validator party exercises
 * `WalletAppInstall_ExecuteBatch` with all inputs that the wallet has (WA-TRE-003). NOTE: a batch has one operation and runs at once. That
 * equals Splice with a batch size of 1, except that no operation waits in a queue.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { parseNumeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlValue, DamlVariant, Party } from '../../daml/model/values.js';
import type { DisclosedContract } from '../../network/submission/submission.js';
import { chooseInputs, type ChosenInputs } from './inputs.js';
import { notFound } from './refusals.js';
import { amuletRules, disclosed, latestOpenRound, roundOf } from './rounds.js';
import { exercise, type Deduplicated } from './submit.js';
import { isShortOfMoney } from './top-up.js';
import { templateName, type WalletTemplate } from './templates.js';
import type { Wallet } from './wallet.js';

/** An AmuletOperation of the wallet's package, as Ledger API JSON. */
export interface AmuletOperation {
  readonly tag: string;
  readonly value: unknown;
}

export interface BatchOptions {
  readonly deduplicated?: Deduplicated | undefined;
  readonly alsoDisclosed?: readonly DisclosedContract[] | undefined;
  /** Whether it may use the traffic reserved for purchases. */
  readonly isUrgent?: boolean | undefined;
}

/** A failed operation whose reason wallets report in a special form (WA-TRE-011, WA-TRE-012). */
export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  constructor(
    /** Constructor of InvalidTransferReason, such as `ITR_InsufficientFunds`. */
    readonly reason: string,
    readonly values: readonly string[],
    readonly error: LedgerError,
  ) {
    super(`COO_Error(${reason}(${values.join(', ')}))`);
  }
}

/**
 * Executes an operation.
 * @returns its result without the constructor
 * @throws WalletRefusal, AppRefusal, OperationFailed, LedgerError
 */
export function executeOperation(
  wallet: Wallet,
  operation: AmuletOperation,
  options: BatchOptions = {},
): DamlValue {
  requireSubject(wallet, operation);
  const taps = operation.tag === 'CO_Tap' ? 1 : 0;
  return execute(wallet, operation, options, contextOf(wallet, taps));
}

/**
 * Mints due coupons and merges all amulets into one, if it is worth a transaction (WA-TRE-014).
 * @returns whether it was
 */
export function mergeInputs(wallet: Wallet): boolean {
  const context = contextOf(wallet, 0);
  if (!context.chosen.isWorthMerging) return false;
  const isUrgent = isShortOfMoney(wallet);
  execute(wallet, { tag: 'CO_MergeTransferInputs', value: {} }, { isUrgent }, context);
  return true;
}

interface Context {
  readonly rules: ContractInstance;
  readonly round: ContractInstance;
  readonly chosen: ChosenInputs;
}

function contextOf(wallet: Wallet, taps: number): Context {
  const { splice } = wallet;
  const rules = amuletRules(splice);
  const round = latestOpenRound(splice);
  const { maxNumInputs } = round.payload.transferConfigUsd as unknown as {
    readonly maxNumInputs: bigint;
  };
  return { rules, round, chosen: chooseInputs(wallet, Number(maxNumInputs), taps) };
}

function execute(
  wallet: Wallet,
  operation: AmuletOperation,
  { deduplicated, isUrgent, alsoDisclosed = [] }: BatchOptions,
  { rules, round, chosen }: Context,
): DamlValue {
  const { validator, splice, validatorParty, party } = wallet;
  const argument = {
    context: {
      amuletRules: rules.contractId,
      context: {
        openMiningRound: round.contractId,
        issuingMiningRounds: chosen.rounds.map(({ contractId, payload }) => [
          { number: String(roundOf(payload)) },
          contractId,
        ]),
        validatorRights: chosen.validatorRights.map(({ contractId, payload }) => [
          payload.user,
          contractId,
        ]),
        featuredAppRight: null,
      },
    },
    inputs: chosen.inputs,
    operations: [operation],
  };
  const options = {
    actAs: [validatorParty],
    readAs: readers(party, chosen.couponUsers),
    disclosedContracts: unique([
      ...disclosed(splice, [rules, round, ...chosen.rounds]),
      ...alsoDisclosed,
    ]),
    deduplicated,
    isUrgent,
  };
  try {
    const { contractId } = installOf(wallet);
    const choice = 'WalletAppInstall_ExecuteBatch';
    const result = exercise(validator, INSTALL, contractId, choice, argument, options);
    const [outcome] = (result as unknown as { readonly outcomes: readonly DamlVariant[] }).outcomes;
    return outcome!.value;
  } catch (error) {
    throw failureOf(error) ?? error;
  }
}

const INSTALL = `#${templateName('install')}`;

/**
 * Exercises a choice of the wallet's `WalletAppInstall` as the validator party, reading as the user's party too.
 * @throws WalletRefusal, LedgerError
 */
export function exerciseInstall(
  wallet: Wallet,
  choice: string,
  argument: unknown,
  { deduplicated, alsoDisclosed, isUrgent }: BatchOptions = {},
): DamlValue {
  const { contractId } = installOf(wallet);
  return exercise(wallet.validator, INSTALL, contractId, `WalletAppInstall_${choice}`, argument, {
    actAs: [wallet.validatorParty],
    readAs: [wallet.party],
    disclosedContracts: alsoDisclosed,
    deduplicated,
    isUrgent,
  });
}

/** The first installation of a party, which may have several users. */
function installOf(wallet: Wallet): ContractInstance {
  const install = wallet.first('install');
  if (install === undefined) throw notFound('WalletAppInstall contract not found');
  return install;
}

const readers = (party: Party, others: readonly Party[]): readonly Party[] => [
  ...new Set([party, ...others]),
];

function unique(contracts: readonly DisclosedContract[]): DisclosedContract[] {
  return [...new Map(contracts.map((each) => [each.contract.contractId, each])).values()];
}

/** The contract that an operation needs. If it is gone, the wallet refuses the operation without submitting it (WA-TRE-013). */
const SUBJECTS: Readonly<Record<string, WalletTemplate>> = {
  CO_SubscriptionAcceptAndMakeInitialPayment: 'subscriptionRequest',
  CO_SubscriptionMakePayment: 'subscriptionIdleState',
  CO_AppPayment: 'appPaymentRequest',
  CO_CompleteAcceptedTransfer: 'acceptedTransferOffer',
  CO_CompleteBuyTrafficRequest: 'buyTrafficRequest',
  CO_AcceptTransferPreapprovalProposal: 'preapprovalProposal',
  CO_RenewTransferPreapproval: 'transferPreapproval',
};

/** The field that names the contract, for operations whose value is not the contract id. */
const SUBJECT_FIELDS: Readonly<Record<string, string>> = {
  CO_CompleteBuyTrafficRequest: 'trafficRequestCid',
  CO_AcceptTransferPreapprovalProposal: 'preapprovalProposalCid',
  CO_RenewTransferPreapproval: 'previousApprovalCid',
};

function requireSubject(wallet: Wallet, { tag, value }: AmuletOperation): void {
  const template = SUBJECTS[tag];
  if (template === undefined) return;
  const field = SUBJECT_FIELDS[tag];
  const id = (field === undefined ? value : (value as Record<string, unknown>)[field]) as string;
  wallet.get(template, id);
}

/** Refusals that the wallet reports in a special form; undefined for those that it passes on. */
function failureOf(error: unknown): OperationFailed | undefined {
  if (!(error instanceof LedgerError) || error.code !== 'DAML_FAILURE') return undefined;
  const { context = {}, cause } = error.details;
  const prefix = 'splice.lfdecentralizedtrust.org/';
  const id = context.error_id ?? '';
  const failed = (reason: string, ...values: readonly (string | undefined)[]) =>
    values.includes(undefined)
      ? undefined
      : new OperationFailed(reason, values as readonly string[], error);
  switch (id.startsWith(prefix) ? id.slice(prefix.length) : '') {
    case 'unknown-synchronizer':
      return failed('ITR_UnknownSynchronizer', context.synchronizerId);
    case 'insufficient-topup-amount':
      return failed(
        'ITR_InsufficientTopupAmount',
        context.requestedTopupAmount,
        context.minTopupAmount,
      );
    case 'insufficient-funds':
      return failed('ITR_InsufficientFunds', decimalOf(context.requiredAmount));
    case 'maximum-inputs-exceeded':
    case 'maximum-outputs-exceeded':
      return failed('ITR_Other', cause);
    default:
      return undefined;
  }
}

/** Formats a decimal text like Java's BigDecimal. */
function decimalOf(text: string | undefined): string | undefined {
  const number = text === undefined ? undefined : parseNumeric(text);
  if (number === undefined) return undefined;
  const digits = /\.(\d*)$/.exec(text!)?.[1]?.length ?? 0;
  return number.rescale(digits)?.toBigDecimal();
}
