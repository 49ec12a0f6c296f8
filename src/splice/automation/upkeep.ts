/**
 * Maintenance of the DSO's records: it merges duplicate licences, pays voted activity records, and creates counters of transfer commands.
 */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { templateName } from '../dso/amulet-contracts.js';
import { confirm, isConfirmed } from './confirmations.js';
import { earliest, idsOf, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** The number of licences of one validator that a transaction merges, and the most rewards that pay for one record. */
const MOST_LICENCES = 10;
const MOST_REWARDS = 100;

const COUNTER_ACTION = 'SRARC_CreateTransferCommandCounter';

export function upkeepTasks(node: DsoNode): readonly Task[] {
  return [mergeLicences(node), allocateActivityRecords(node), transferCommandCounters(node)];
}

function mergeLicences(node: DsoNode): Task {
  const duplicates = () => {
    const byValidator = new Map<Party, ContractInstance[]>();
    for (const each of node.contracts('validatorLicense')) {
      const validator = each.payload.validator as Party;
      byValidator.set(validator, [...(byValidator.get(validator) ?? []), each]);
    }
    return [...byValidator.values()].filter(({ length }) => length > 1);
  };
  return {
    name: 'MergeValidatorLicenseContracts',
    watches: [templateName('validatorLicense')],
    due: () => earliest(duplicates().map(([, second]) => second!.createdAt)),
    run() {
      node.forEach(duplicates(), (licences) => {
        const validatorLicenseCids = idsOf(licences.slice(0, MOST_LICENCES));
        node.exerciseDsoRules('DsoRules_MergeValidatorLicense', { validatorLicenseCids });
      });
    },
  };
}

/** Pays records from unclaimed rewards, the largest first. A record waits until these suffice. */
function allocateActivityRecords(node: DsoNode): Task {
  const payable = () => {
    const rewards = node
      .contracts('unclaimedReward')
      .slice(0, MOST_REWARDS)
      .sort((a, b) => amountOf(b).compare(amountOf(a)));
    return node.contracts('unallocatedActivityRecord').flatMap((record) => {
      const paying = enough(rewards, amountOf(record));
      const isOver = (record.payload.expiresAt as Timestamp) <= node.now;
      return paying === undefined || isOver ? [] : [{ record, paying }];
    });
  };
  return {
    name: 'AllocateUnallocatedUnclaimedActivityRecord',
    watches: [templateName('unallocatedActivityRecord'), templateName('unclaimedReward')],
    due: () => payable()[0]?.record.createdAt,
    run() {
      const [first] = payable();
      node.exerciseDsoRules('DsoRules_AllocateUnallocatedUnclaimedActivityRecord', {
        unallocatedUnclaimedActivityRecordCid: first!.record.contractId,
        amuletRulesCid: node.amuletRulesCid,
        unclaimedRewardsToBurnCids: idsOf(first!.paying),
      });
    },
  };
}

/** The first rewards that together reach the amount; undefined if all of them do not. */
function enough(
  rewards: readonly ContractInstance[],
  amount: Numeric,
): readonly ContractInstance[] | undefined {
  let missing = amount;
  for (const [index, reward] of rewards.entries()) {
    missing = missing.subtract(amountOf(reward));
    if (missing.sign() <= 0) return rewards.slice(0, index + 1);
  }
  return undefined;
}

const amountOf = ({ payload }: ContractInstance) => payload.amount as Numeric;

/** Creates a counter for each sender of a transfer command that has none, once enough SVs have confirmed it. */
function transferCommandCounters(node: DsoNode): Task {
  const senders = () => {
    const counted = new Set(
      node.contracts('transferCommandCounter').map(({ payload }) => payload.sender),
    );
    return node
      .contracts('transferCommand')
      .filter(
        ({ payload: { sender } }) =>
          !counted.has(sender!) && !isConfirmed(node, COUNTER_ACTION, sender as Party),
      );
  };
  return {
    name: 'TransferCommandCounter',
    watches: [
      templateName('transferCommand'),
      templateName('transferCommandCounter'),
      templateName('confirmation'),
    ],
    due: () => senders()[0]?.createdAt,
    run() {
      const value = { sender: senders()[0]!.payload.sender };
      const dsoAction = { tag: COUNTER_ACTION, value };
      confirm(node, { tag: 'ARC_DsoRules', value: { dsoAction } });
    },
  };
}
