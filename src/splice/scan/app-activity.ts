/**
 * The activity of featured apps by the traffic that their transactions cost (CIP-104), as Scan computes it from verdicts and the
 * sequencer's summaries of traffic (S-EVT-014).
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Some, Timestamp } from '../../daml/model/values.js';
import type { TransactionUpdate } from '../../network/model/updates.js';
import type { EnvelopeCost } from '../../network/traffic/envelope.js';
import { envelopeCostsOf } from '../../network/traffic/update-cost.js';
import { isOf, roundNumber, type AmuletTemplate } from '../dso/amulet-contracts.js';
import { memberIdOf } from '../dso/traffic.js';
import type { ActivityRecord } from '../rewards/round-rewards.js';
import { HistoryDigest } from './history-digest.js';
import type { ScanViewpoint } from './scan-view.js';
import { verdictOn } from './verdicts.js';

/** The most bytes of a request whose activity Scan computes: 100 MiB. */
export const MAX_TRAFFIC_COST = 100 * 1024 * 1024;
const DECIMALS = 10;

/** The traffic of a request. */
export interface TrafficSummary {
  /** Bytes. */
  readonly total: number;
  readonly envelopes: readonly EnvelopeCost[];
}

const REFERENCES = ['openRound', 'featuredAppRight', 'dsoRules'] as const;
type Reference = (typeof REFERENCES)[number];

interface Lifetime {
  readonly contract: ContractInstance;
  readonly from: Timestamp;
  until?: Timestamp;
}

interface Change {
  readonly kind: 'create' | 'archive';
  readonly contract: ContractInstance;
  readonly at: Timestamp;
}

export class AppActivity {
  private readonly changes: HistoryDigest<Change>;
  private readonly summaries = new WeakMap<TransactionUpdate, TrafficSummary>();
  /** The lifetimes of contracts by their templates, as far as they are read. */
  private known: { readonly of: readonly Change[]; read: number; readonly all: Lifetimes };

  constructor(
    private readonly viewpoint: ScanViewpoint,
    private readonly maxTrafficCost = MAX_TRAFFIC_COST,
  ) {
    this.changes = new HistoryDigest(viewpoint, (node, { recordTime: at }) => {
      const { contract } = node;
      if (!REFERENCES.some((each) => isOf(contract, each))) return undefined;
      if (node.kind === 'create') return { kind: 'create', contract, at };
      return node.consuming ? { kind: 'archive', contract, at } : undefined;
    });
    this.known = { of: [], read: 0, all: noLifetimes() };
  }

  /** Undefined if the synchronizer computes no costs, or if no participant submitted the transaction. */
  summaryOf(update: TransactionUpdate): TrafficSummary | undefined {
    const { traffic, participants } = this.viewpoint.network;
    const { submission } = update;
    if (!traffic.isOn || submission === undefined) return undefined;
    const known = this.summaries.get(update);
    if (known !== undefined) return known;
    const sender = participants.find(({ id }) => id === submission.participantId);
    if (sender === undefined) return undefined;
    const envelopes = envelopeCostsOf(sender, update);
    const summary = { envelopes, total: envelopes.reduce((sum, { cost }) => sum + cost, 0) };
    this.summaries.set(update, summary);
    return summary;
  }

  /** The activity of apps in a transaction; undefined if it has none. Transactions of SVs have none, because they are free. */
  recordOf(update: TransactionUpdate): ActivityRecord | undefined {
    const { network } = this.viewpoint;
    if (update.submission === undefined || !network.traffic.isOn) return undefined;
    const round = this.roundAt(update.recordTime);
    if (round === undefined) return undefined;
    const opensAt = round.payload.opensAt as Timestamp;
    const svs = this.svParticipantsAt(opensAt);
    if (svs.size === 0 || svs.has(memberIdOf(update.submission.participantId))) return undefined;
    const apps = this.featuredAppsAt(opensAt);
    const summary = apps.size === 0 ? undefined : this.summaryOf(update);
    const views = summary && verdictOn(network, update)?.views;
    if (views === undefined || summary!.total > this.maxTrafficCost) return undefined;
    const confirmers = views.map(({ quorums }) => quorums.flatMap(({ parties }) => parties));
    const weights = weightsOf(summary!, confirmers, apps);
    return weights.length === 0 ? undefined : { round: roundNumber(round), weights };
  }

  /** The activity of all transactions in a round, in their order. */
  recordsOf(round: bigint): readonly ActivityRecord[] {
    const { ledgerHistory, synchronizers } = this.viewpoint.network;
    const found = this.lifetimes('openRound').find((each) => roundNumber(each.contract) === round);
    const records: ActivityRecord[] = [];
    if (found === undefined) return records;
    for (let index = 0; index < ledgerHistory.length; index++) {
      const update = ledgerHistory.at(index)!;
      if (update.kind !== 'transaction' || !isWithin(found, update.recordTime)) continue;
      if (update.synchronizerId !== synchronizers[0]!.id) continue;
      const record = this.recordOf(update);
      if (record?.round === round) records.push(record);
    }
    return records;
  }

  /** The first of the rounds that are open then. */
  roundNumberAt(time: Timestamp): bigint | undefined {
    const round = this.roundAt(time);
    return round && roundNumber(round);
  }

  /** The contract of a round that was opened. */
  openRound(round: bigint): ContractInstance | undefined {
    return this.lifetimes('openRound').find((each) => roundNumber(each.contract) === round)
      ?.contract;
  }

  private roundAt(time: Timestamp): ContractInstance | undefined {
    return this.activeAt('openRound', time)
      .filter(({ payload }) => (payload.opensAt as Timestamp) <= time)
      .reduce<ContractInstance | undefined>(
        (first, each) =>
          first === undefined || roundNumber(each) < roundNumber(first) ? each : first,
        undefined,
      );
  }

  /** The highest weight of each featured app then. */
  private featuredAppsAt(time: Timestamp): ReadonlyMap<Party, Numeric> {
    const weights = new Map<Party, Numeric>();
    for (const { payload } of this.activeAt('featuredAppRight', time)) {
      const provider = payload.provider as Party;
      const weight = (payload.activityWeight as Some<Numeric> | null | undefined)?.value;
      const known = weights.get(provider);
      const given = weight ?? Numeric.of('1', DECIMALS);
      if (known === undefined || known.compare(given) < 0) weights.set(provider, given);
    }
    return weights;
  }

  private svParticipantsAt(time: Timestamp): ReadonlySet<string> {
    const [rules] = this.activeAt('dsoRules', time);
    const svs = (rules?.payload.svs ?? []) as readonly (readonly [Party, DamlRecord])[];
    return new Set(svs.map(([, { participantId }]) => participantId as string));
  }

  private activeAt(template: Reference, time: Timestamp): readonly ContractInstance[] {
    return this.lifetimes(template)
      .filter((each) => isWithin(each, time))
      .map(({ contract }) => contract);
  }

  private lifetimes(template: Reference): readonly Lifetime[] {
    const changes = this.changes.all();
    if (changes !== this.known.of) this.known = { of: changes, read: 0, all: noLifetimes() };
    const { all } = this.known;
    for (; this.known.read < changes.length; this.known.read++) {
      const { kind, contract, at } = changes[this.known.read]!;
      const of = all[REFERENCES.find((each) => isOf(contract, each))!];
      if (kind === 'create') of.push({ contract, from: at });
      else {
        const ended = of.find((each) => each.contract.contractId === contract.contractId);
        if (ended !== undefined) ended.until = at;
      }
    }
    return all[template];
  }
}

type Lifetimes = Record<Extract<AmuletTemplate, Reference>, Lifetime[]>;
const noLifetimes = (): Lifetimes => ({ openRound: [], featuredAppRight: [], dsoRules: [] });

const isWithin = ({ from, until }: Lifetime, time: Timestamp): boolean =>
  from <= time && (until === undefined || time < until);

/**
 * The whole cost of the request is shared by its envelopes that a featured app confirms, in proportion to their costs, and in each
 * envelope equally by these apps. All divisions are whole (CIP-104).
 * @param confirmers the parties that confirm each view
 */
export function weightsOf(
  { total, envelopes }: TrafficSummary,
  confirmers: readonly (readonly Party[])[],
  apps: ReadonlyMap<Party, Numeric>,
): ActivityRecord['weights'] {
  const shares = new Map<Party, bigint>();
  let featured = 0n;
  for (const { cost, views } of envelopes) {
    const own = new Set(views.flatMap((view) => confirmers[view] ?? []));
    const sharing = [...own].filter((party) => apps.has(party));
    if (sharing.length === 0) continue;
    featured += BigInt(cost);
    const share = (BigInt(cost) * BigInt(total)) / BigInt(sharing.length);
    for (const party of sharing) shares.set(party, (shares.get(party) ?? 0n) + share);
  }
  if (featured === 0n) return [];
  return [...shares.keys()].sort().map((party) => {
    const burned = Numeric.of(shares.get(party)! / featured, DECIMALS);
    return { party, weight: burned.multiply(apps.get(party)!).truncate() };
  });
}
