/** Votes of the DSO: open requests, and results of closed ones (S-DSO-010, S-DSO-011). */
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
  /** Matches a part of the action's constructor. */
  readonly actionName?: string;
  readonly accepted?: boolean;
  /** Matches a part of the requester's name. */
  readonly requester?: string;
  /** Compared as texts, as in the real Scan. */
  readonly effectiveFrom?: string;
  readonly effectiveTo?: string;
}

export interface VoteResult {
  /** Index among all results, from 1. */
  readonly number: number;
  /** The choice that closed the request; its result is the vote's. */
  readonly node: ExerciseNode;
  readonly actionName: string;
  readonly action: DamlRecord | undefined;
  readonly isAccepted: boolean;
  readonly requester: string;
  /** Undefined if the vote had no effect. */
  readonly effectiveAt: string | undefined;
  /** When it took effect, or otherwise when it was closed. */
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

  /** An SV's weight by the last accepted vote that took effect before that time. */
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

/** Open requests, in order of creation. Each vote replaces the request by a new contract; the first contract's id identifies them. */
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

/** The action within an action of DsoRules or AmuletRules; undefined for other actions. */
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
  // With both bounds, they are inclusive; a single bound is exclusive.
  if (from !== undefined && to !== undefined) return from <= effectiveAt && effectiveAt <= to;
  return from !== undefined ? effectiveAt > from : effectiveAt < to!;
}
