/** Validators buy traffic for their participants before it runs out: all but the SV's, whose nodes have as much as they want (A-TRF-*). */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import { earliest, type DsoNode } from '../automation/dso-node.js';
import type { Task } from '../automation/task.js';
import {
  activeSynchronizer,
  contractsOf,
  latestOf,
  templateName,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';
import { Submitter } from '../submitter.js';
import type { Validator } from '../validators/validator.js';
import { templateName as walletTemplate } from '../wallet/templates.js';
import { executeOperation, OperationFailed } from '../wallet/treasury.js';
import { Wallet } from '../wallet/wallet.js';

/** Bytes that are bought at once: 20,000 a second, as a LocalNet's validators are set, for an interval (A-TRF-001). */
const AMOUNT = 1_200_000n;
/** Microseconds between purchases. */
const INTERVAL = 60_000_000n;
const EPOCH = formatTimestampMicros(0n);

const STATE = templateName('topUpState');

export function trafficTask(splice: Splice, node: DsoNode): Task {
  const due = () =>
    splice.validators.flatMap((validator) => {
      const at = purchaseDue(splice, node, validator);
      return at === undefined ? [] : [{ validator, at }];
    });
  return {
    name: 'TopupMemberTraffic',
    watches: [STATE, templateName('memberTraffic'), walletTemplate('install')],
    due: () => earliest(due().map(({ at }) => at)),
    run() {
      const now = due().filter(({ at }) => at <= node.now);
      node.forEach(now, ({ validator }) => buy(splice, validator));
    },
  };
}

/** Undefined for a validator without a wallet, and while there is enough. */
function purchaseDue(splice: Splice, node: DsoNode, validator: Validator): Timestamp | undefined {
  if (validator.party === node.sv) return undefined;
  const install = new Wallet(splice, validator, validator.party).first('install');
  if (install === undefined) return undefined;
  const state = stateOf(validator);
  if (state === undefined) return install.createdAt;
  if (remaining(splice, validator) >= AMOUNT) return undefined;
  return (state.payload.lastPurchasedAt as Timestamp) + INTERVAL;
}

/** NOTE: sequencing costs nothing here, so that all that was bought remains. */
function remaining(splice: Splice, { participant }: Validator): bigint {
  const { memberId, synchronizerId, migrationId } = account(splice, participant.id);
  let total = 0n;
  for (const { payload } of contractsOf(splice, 'memberTraffic'))
    if (
      payload.memberId === memberId &&
      payload.synchronizerId === synchronizerId &&
      payload.migrationId === BigInt(migrationId)
    )
      total += payload.totalPurchased as bigint;
  return total;
}

function account(splice: Splice, participantId: string) {
  return {
    memberId: `PAR::${participantId}`,
    synchronizerId: activeSynchronizer(splice, latestOf(splice, 'rules')!),
    migrationId: String(splice.network.migrations.current),
  };
}

function stateOf({ participant, party }: Validator): ContractInstance | undefined {
  const [found] = participant.activeContracts.now([{ party, templates: [STATE] }]);
  return found?.contract;
}

/** By the validator's wallet, which on DevNet taps what it costs. @throws LedgerError for what the ledger refuses */
function buy(splice: Splice, validator: Validator): void {
  const { participant, party, user } = validator;
  const bought = account(splice, participant.id);
  const state =
    stateOf(validator)?.contractId ??
    new Submitter(participant, user).create(
      `#${STATE}`,
      { dso: splice.dsoParty, validator: party, ...bought, lastPurchasedAt: EPOCH },
      { actAs: [party], synchronizer: bought.synchronizerId },
    );
  const value = {
    trafficAmount: String(AMOUNT),
    ...bought,
    minTopupInterval: { microseconds: String(INTERVAL) },
    topupStateCid: state,
  };
  try {
    const wallet = new Wallet(splice, validator, party);
    executeOperation(wallet, { tag: 'CO_BuyMemberTraffic', value });
  } catch (error) {
    throw error instanceof OperationFailed ? error.error : error;
  }
}
