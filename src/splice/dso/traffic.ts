/**
 * Meters traffic as the DSO's nodes do: by the rates of AmuletRules, and up to the traffic that members bought (A-TRF-005). The nodes of
 * the synchronizer's founder have unlimited traffic (A-TRF-007). NOTE: a purchase counts at once; on a real network, it takes seconds. A
 * participant without traffic can still host parties and vet packages; a real one waits.
 */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../../network/model/ids.js';
import { UNLIMITED_TRAFFIC } from '../../network/ledger/traffic.js';
import { hostingCost } from '../../network/traffic/hosting-cost.js';
import type { TopologyUpdate, Update } from '../../network/model/updates.js';
import { activeSynchronizer, amuletConfig, contractsOf, isOf } from './amulet-contracts.js';
import type { Dso } from './dso.js';

/** A participant's id as Splice's contracts write it. */
export const memberIdOf = (participant: ParticipantId): string => `PAR::${participant}`;

export interface SynchronizerFees {
  readonly baseRateTrafficLimits: {
    readonly burstAmount: bigint;
    readonly burstWindow: { readonly microseconds: bigint };
  };
  readonly minTopupAmount: bigint;
  /** USD per megabyte. */
  readonly extraTrafficPrice: Numeric;
}

export function synchronizerFees(dso: Dso, rules: ContractInstance): SynchronizerFees {
  const { decentralizedSynchronizer } = amuletConfig(dso, rules);
  return (decentralizedSynchronizer as DamlRecord).fees as unknown as SynchronizerFees;
}

/** The traffic bought for a member under the current migration, in bytes. */
export function totalPurchased(dso: Dso, memberId: string, synchronizerId: string): number {
  const migrationId = BigInt(dso.network.migrations.current);
  let total = 0n;
  for (const { payload } of contractsOf(dso, 'memberTraffic'))
    if (
      payload.memberId === memberId &&
      payload.synchronizerId === synchronizerId &&
      payload.migrationId === migrationId
    )
      total += payload.totalPurchased as bigint;
  return Number(total);
}

export function meterTraffic(dso: Dso): void {
  dso.network.afterEach((update) => {
    if (update.kind === 'topology') payForParties(dso, update);
    for (const contract of createdBy(update))
      if (isOf(contract, 'rules')) applyRates(dso, contract);
      else if (isOf(contract, 'memberTraffic')) applyPurchases(dso, contract);
  });
}

/** Each participant pays for announcing the parties that it hosts. */
function payForParties({ network }: Dso, { synchronizerId, events }: TopologyUpdate): void {
  for (const { participantId, party } of events)
    network.traffic.charge(synchronizerId, participantId, () =>
      hostingCost(network, synchronizerId, party),
    );
}

const createdBy = (update: Update): readonly ContractInstance[] =>
  update.kind === 'transaction'
    ? update.transaction.nodes.flatMap((node) => (node.kind === 'create' ? [node.contract] : []))
    : [];

function applyRates(dso: Dso, rules: ContractInstance): void {
  const { network } = dso;
  const { burstAmount, burstWindow } = synchronizerFees(dso, rules).baseRateTrafficLimits;
  const id = activeSynchronizer(dso, rules);
  network.traffic.meter(id, { burst: Number(burstAmount), window: burstWindow.microseconds });
  const founder = network.synchronizer(id)?.foundedBy;
  const own = network.participants.find(({ name }) => name === founder);
  if (own !== undefined) network.traffic.grant(id, own.id, UNLIMITED_TRAFFIC);
}

function applyPurchases(dso: Dso, { payload }: ContractInstance): void {
  const { network } = dso;
  const [memberId, id] = [payload.memberId as string, payload.synchronizerId as SynchronizerId];
  const member = network.participants.find((each) => memberIdOf(each.id) === memberId);
  if (member !== undefined) network.traffic.grant(id, member.id, totalPurchased(dso, memberId, id));
}
