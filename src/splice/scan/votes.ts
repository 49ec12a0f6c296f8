/** Votes of the DSO: requests that are open, and what became of those that were closed (S-DSO-010, S-DSO-011). */
import { formatInstant } from '../../daml/model/time.js';
import type { ContractInstance, ExerciseNode } from '../../daml/model/transaction.js';
import type {
  ContractId,
  DamlRecord,
  DamlVariant,
  Party,
  Some,
  Timestamp,
} from '../../daml/model/values.js';
import { contractsOf, isOf } from '../dso/amulet-contracts.js';
import { HistoryDigest } from './history-digest.js';
import type { ScanViewpoint } from './scan-view.js';
import type { Dso } from '../dso/dso.js';
import { compareUnits } from '../../daml/model/text-order.js';

export interface VoteResultFilter {
  /** Part of the constructor of the action. */
  readonly actionName?: string;
  readonly accepted?: boolean;
  /** Part of who asked for the vote. */
  readonly requester?: string;
  /** Compared as texts, as the real Scan does. */
  readonly effectiveFrom?: string;
  readonly effectiveTo?: string;
}

export interface VoteResult {
  /** Place among all results, from 1. */
  readonly number: number;
  /** The choice that closed the request: its result is the vote's. */
  readonly node: ExerciseNode;
  readonly actionName: string;
  readonly action: DamlRecord | undefined;
  readonly isAccepted: boolean;
  readonly requester: string;
  /** Undefined where nothing took effect. */
  readonly effectiveAt: string | undefined;
  /** When it took effect, or was closed. */
  readonly sortedBy: string;
}

export class Votes {
  private readonly results: HistoryDigest<Omit<VoteResult, 'number'>>;

  constructor(viewpoint: ScanViewpoint) {
    this.results = new HistoryDigest(viewpoint, (node) =>
      node.kind === 'exercise' &&
      node.choice === 'DsoRules_CloseVoteRequest' &&
      isOf(node.contract, 'dsoRules')
        ? resultOf(node)
        : undefined,
    );
  }

  /** The latest effect first. */
  matching(filter: VoteResultFilter): readonly VoteResult[] {
    return this.results
      .all()
      .map((result, index) => ({ ...result, number: index + 1 }))
      .filter((result) => fits(result, filter))
      .sort((a, b) => compareUnits(b.sortedBy, a.sortedBy) || b.number - a.number);
  }

  /** What the last accepted vote on an SV's weight, in effect before that time, made it. */
  latestWeight(sv: Party, effectiveBefore: string | undefined): bigint | undefined {
    const changes = this.results
      .all()
      .filter(
        ({ actionName, isAccepted, action, effectiveAt = '' }) =>
          actionName === 'SRARC_UpdateSvRewardWeight' &&
          isAccepted &&
          action?.svParty === sv &&
          (effectiveBefore === undefined || effectiveAt < effectiveBefore),
      )
      .sort((a, b) => compareUnits(b.effectiveAt ?? '', a.effectiveAt ?? ''));
    return changes[0]?.action?.newRewardWeight as bigint | undefined;
  }
}

/** Open requests, in order of creation. A request that was voted on is a new contract: they are tracked by the first one's id. */
export function voteRequests(
  dso: Dso,
  trackedBy?: readonly ContractId[],
): readonly ContractInstance[] {
  const all = [...contractsOf(dso, 'voteRequest')];
  return trackedBy === undefined ? all : all.filter((each) => trackedBy.includes(trackingId(each)));
}

function trackingId({ contractId, payload }: ContractInstance): ContractId {
  return (payload.trackingCid as Some<ContractId> | null)?.value ?? contractId;
}

function resultOf(node: ExerciseNode): Omit<VoteResult, 'number'> {
  const result = node.result as unknown as {
    readonly request: { readonly action: DamlVariant; readonly requester: string };
    readonly completedAt: Timestamp;
    readonly outcome: DamlVariant;
  };
  const inner = innerAction(result.request.action);
  const effective = (result.outcome.value as DamlRecord | null)?.effectiveAt as
    | Timestamp
    | undefined;
  const effectiveAt = effective === undefined ? undefined : formatInstant(effective);
  return {
    node,
    actionName: inner?.tag ?? '',
    action: inner?.value as DamlRecord | undefined,
    isAccepted: result.outcome.tag === 'VRO_Accepted',
    requester: result.request.requester,
    effectiveAt,
    sortedBy: effectiveAt ?? formatInstant(result.completedAt),
  };
}

/** What an action of the DSO's rules or of Amulet's does; others have no name. */
function innerAction({ tag, value }: DamlVariant): DamlVariant | undefined {
  const fields = value as DamlRecord;
  if (tag === 'ARC_DsoRules') return fields.dsoAction as DamlVariant;
  if (tag === 'ARC_AmuletRules') return fields.amuletRulesAction as DamlVariant;
  return undefined;
}

function fits(
  { actionName, isAccepted, requester, effectiveAt }: VoteResult,
  filter: VoteResultFilter,
): boolean {
  const { effectiveFrom: from, effectiveTo: to } = filter;
  if (filter.actionName !== undefined && !actionName.includes(filter.actionName)) return false;
  if (filter.accepted !== undefined && isAccepted !== filter.accepted) return false;
  if (filter.requester !== undefined && !requester.includes(filter.requester)) return false;
  if (from === undefined && to === undefined) return true;
  if (effectiveAt === undefined) return false;
  // Both bounds belong to a span; one alone does not.
  if (from !== undefined && to !== undefined) return from <= effectiveAt && effectiveAt <= to;
  return from !== undefined ? effectiveAt > from : effectiveAt < to!;
}
