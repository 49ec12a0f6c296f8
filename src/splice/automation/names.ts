/** The DSO's automation of names: it collects or rejects payments for them, and archives the rest of ended subscriptions (A-ANS-*). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import {
  featuredAppRight,
  latestOf,
  roundNumber,
  roundsOf,
  templateName,
  usableOpenRound,
} from '../dso/amulet-contracts.js';
import { nameOf, userEntries } from '../dso/names.js';
import { confirm, isConfirmed } from './confirmations.js';
import { earliest, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

const COLLECT = 'ANSRARC_CollectInitialEntryPayment';
const REJECT = 'ANSRARC_RejectEntryInitialPayment';

/** Limits in characters (A-ANS-003). */
const MAX_NAME = 60;
const MAX_URL = 255;
const MAX_DESCRIPTION = 140;

export function nameTasks(node: DsoNode): readonly Task[] {
  return [initialPayment(node), renewalPayment(node), terminatedSubscription(node)];
}

function initialPayment(node: DsoNode): Task {
  const open = () =>
    withContext(node, node.contracts('initialPayment'), ({ payload }) => payload.reference).filter(
      ({ contract: { contractId } }) =>
        !isConfirmed(node, COLLECT, contractId) && !isConfirmed(node, REJECT, contractId),
    );
  return {
    name: 'AnsSubscriptionInitialPayment',
    watches: [templateName('initialPayment'), templateName('confirmation')],
    due: () => earliest(open().map(({ contract }) => contract.createdAt)),
    run: () => node.forEach(open(), (payment) => judge(node, payment)),
  };
}

interface WithContext {
  readonly contract: ContractInstance;
  /** The AnsEntryContext. */
  readonly context: ContractInstance;
}

/** The contracts that belong to a name, each with its AnsEntryContext. */
function withContext(
  node: DsoNode,
  contracts: readonly ContractInstance[],
  referenceOf: (contract: ContractInstance) => unknown,
): readonly WithContext[] {
  if (contracts.length === 0) return [];
  const contexts = new Map(
    node.contracts('ansEntryContext').map((each) => [each.payload.reference as unknown, each]),
  );
  return contracts.flatMap((contract) => {
    const context = contexts.get(referenceOf(contract));
    return context === undefined ? [] : [{ contract, context }];
  });
}

function judge(node: DsoNode, { contract, context }: WithContext): void {
  const round = openRound(node, contract);
  const isAccepted = round !== undefined && isAcceptable(node, contract, context.payload);
  const tag = isAccepted ? COLLECT : REJECT;
  confirm(node, {
    tag: 'ARC_AnsEntryContext',
    value: {
      ansEntryContextCid: context.contractId,
      ansEntryContextAction: {
        tag,
        value: {
          paymentCid: contract.contractId,
          transferContext: transferContext(node, round ?? usableOpenRound(node.dso)!),
          ansRulesCid: latestOf(node.dso, 'ansRules')!.contractId,
        },
      },
    },
  });
}

/** The open round in which a payment was made; undefined once the round is over. */
function openRound({ dso }: DsoNode, { payload }: ContractInstance): ContractInstance | undefined {
  const { number } = payload.round as { readonly number: bigint };
  return roundsOf(dso, 'openRound').find((each) => roundNumber(each) === number);
}

function transferContext(node: DsoNode, round: ContractInstance): object {
  return {
    amuletRules: node.amuletRulesCid,
    openMiningRound: round.contractId,
    featuredAppRight: featuredAppRight(node.dso, node.dso.dsoParty)?.contractId ?? null,
  };
}

/** Whether the name is valid, and neither taken nor part of an earlier pending payment (A-ANS-002). */
function isAcceptable(node: DsoNode, payment: ContractInstance, context: DamlRecord): boolean {
  const { name, url, description } = context as Readonly<Record<string, string>>;
  if (!isName(node, name!) || !isUrl(url!) || description!.length > MAX_DESCRIPTION) return false;
  if (userEntries(node.dso).some((each) => nameOf(each) === name)) return false;
  return !withContext(
    node,
    node.contracts('initialPayment'),
    ({ payload }) => payload.reference,
  ).some(
    (other) =>
      other.contract.contractId !== payment.contractId &&
      other.context.payload.name === name &&
      isConfirmed(node, COLLECT, other.contract.contractId),
  );
}

function isName({ dso }: DsoNode, name: string): boolean {
  const suffix = `.unverified.${dso.instanceNames.nameServiceNameAcronym.toLowerCase()}`;
  if (!name.endsWith(suffix) || name.length > MAX_NAME) return false;
  return /^[a-z0-9_-]+$/.test(name.slice(0, -suffix.length));
}

/** Whether a text is empty or an absolute http(s) URL. */
function isUrl(text: string): boolean {
  if (text === '') return true;
  return text.length <= MAX_URL && /^https?:/i.test(text) && URL.canParse(text);
}

/** Collects renewal payments. Payments that cannot be collected expire. */
function renewalPayment(node: DsoNode): Task {
  const collectable = () =>
    withContext(node, node.contracts('subscriptionPayment'), ({ payload }) => payload.reference)
      .map(({ contract, context }) => ({
        contract,
        context,
        round: openRound(node, contract),
        entry: userEntries(node.dso).find((each) => nameOf(each) === context.payload.name),
      }))
      .filter(({ round, entry }) => round !== undefined && entry !== undefined);
  return {
    name: 'AnsSubscriptionRenewalPayment',
    watches: [templateName('subscriptionPayment')],
    due: () => earliest(collectable().map(({ contract }) => contract.createdAt)),
    run: () =>
      node.forEach(collectable(), ({ contract, context, round, entry }) => {
        node.exerciseDsoRules('DsoRules_CollectEntryRenewalPayment', {
          ansEntryContextCid: context.contractId,
          choiceArg: {
            paymentCid: contract.contractId,
            entryCid: entry!.contractId,
            transferContext: transferContext(node, round!),
            ansRulesCid: latestOf(node.dso, 'ansRules')!.contractId,
          },
        });
      }),
  };
}

function terminatedSubscription(node: DsoNode): Task {
  const ended = () =>
    withContext(node, node.contracts('terminatedSubscription'), ({ payload }) => payload.reference);
  return {
    name: 'TerminatedSubscription',
    watches: [templateName('terminatedSubscription')],
    due: () => earliest(ended().map(({ contract }) => contract.createdAt)),
    run: () =>
      node.forEach(ended(), ({ contract, context }) => {
        node.exerciseDsoRules('DsoRules_TerminateSubscription', {
          ansEntryContextCid: context.contractId,
          terminatedSubscriptionCid: contract.contractId,
        });
      }),
  };
}
