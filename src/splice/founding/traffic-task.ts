/** Validators buy traffic for their participants before it runs out: all but the SV's, whose nodes have as much as they want (A-TRF-*). */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';
import { earliest, type DsoNode } from '../automation/dso-node.js';
import type { Task } from '../automation/task.js';
import { activeSynchronizer, latestOf, templateName } from '../dso/amulet-contracts.js';
import { memberIdOf, totalPurchased } from '../dso/traffic.js';
import type { Splice } from '../splice.js';
import { Submitter } from '../submitter.js';
import type { Validator } from '../validators/validator.js';
import { isShortOfMoney, topUp } from '../wallet/top-up.js';
import { templateName as walletTemplate } from '../wallet/templates.js';
import { executeOperation, OperationFailed } from '../wallet/treasury.js';
import { Wallet } from '../wallet/wallet.js';

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
    // With metering, any event may have used some.
    ...(splice.trafficOptions === undefined && { watches: watched(splice) }),
    due: () => earliest(due().map(({ at }) => at)),
    run() {
      const now = due().filter(({ at }) => at <= node.now);
      node.forEach(now, ({ validator }) => buy(splice, validator));
    },
  };
}

/** Without a faucet, a purchase also depends on the balance of a wallet, and on prices. */
function watched(splice: Splice): readonly TemplateName[] {
  const names = [STATE, templateName('memberTraffic'), walletTemplate('install')];
  return latestOf(splice, 'rules')?.payload.isDevNet === true
    ? names
    : [...names, ...(['amulet', 'openRound', 'rules'] as const).map(templateName)];
}

/** Undefined for a validator without a wallet, while there is enough, and while its wallet cannot pay. */
function purchaseDue(splice: Splice, node: DsoNode, validator: Validator): Timestamp | undefined {
  if (validator.party === node.sv) return undefined;
  const { amount, interval } = topUp(splice);
  const wallet = new Wallet(splice, validator, validator.party);
  const install = wallet.first('install');
  if (amount === 0 || install === undefined || isShortOfMoney(wallet)) return undefined;
  const state = stateOf(validator);
  if (state === undefined) return install.createdAt;
  if (remaining(splice, validator) >= amount) return undefined;
  return (state.payload.lastPurchasedAt as Timestamp) + interval;
}

/** Bytes. NOTE: without metering, all bought traffic remains. */
function remaining(splice: Splice, { participant: { id } }: Validator): number {
  const { memberId, synchronizerId } = account(splice, id);
  const state = splice.network.traffic.state(synchronizerId, id);
  if (state !== undefined) return state.purchased - state.consumed;
  return totalPurchased(splice, memberId, synchronizerId);
}

function account(splice: Splice, participantId: string) {
  return {
    memberId: memberIdOf(participantId),
    synchronizerId: activeSynchronizer(splice, latestOf(splice, 'rules')!),
    migrationId: String(splice.network.migrations.current),
  };
}

function stateOf({ participant, party }: Validator): ContractInstance | undefined {
  const [found] = participant.activeContracts.now([{ party, templates: [STATE] }]);
  return found?.contract;
}

/** The validator's wallet buys it. On DevNet, it first taps the cost. @throws LedgerError for an error of the ledger */
function buy(splice: Splice, validator: Validator): void {
  const { participant, party, user } = validator;
  const bought = account(splice, participant.id);
  const { amount, interval } = topUp(splice);
  const state =
    stateOf(validator)?.contractId ??
    new Submitter(participant, user).create(
      `#${STATE}`,
      { dso: splice.dsoParty, validator: party, ...bought, lastPurchasedAt: EPOCH },
      { actAs: [party], synchronizer: bought.synchronizerId },
    );
  const value = {
    trafficAmount: String(amount),
    ...bought,
    minTopupInterval: { microseconds: String(interval) },
    topupStateCid: state,
  };
  try {
    const wallet = new Wallet(splice, validator, party);
    executeOperation(wallet, { tag: 'CO_BuyMemberTraffic', value }, { isUrgent: true });
  } catch (error) {
    throw error instanceof OperationFailed ? error.error : error;
  }
}
