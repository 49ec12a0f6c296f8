/** Matchers on privacy: who sees an update, a node, a field or a contract, and why. */
import { lazy } from '../../daml/errors/lazy.js';
import type { Party } from '../../daml/model/values.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { NodeSights } from '../../network/privacy/sights.js';
import type { ParticipantView } from '../../wallet/participant-view.js';
import { isObject, shown, verdict, type MatcherState, type Verdict } from './matcher.js';
import { isParticipant } from './party-matchers.js';
import type * as SeenModule from './seen.js';
import type { Seen, SeenBecause, SeenNodes } from './seen.js';
import { shortened, templateText } from './shortened.js';

// Few tests use it.
const seenModule = lazy(() => require('./seen.js') as typeof SeenModule);

/** A party by its id, or a participant, which means all parties that it hosts. */
export type Viewer = Party | Pick<ParticipantView, 'name' | 'id'>;

/** Whether exactly these parties see a part of the selected nodes. */
export function toBeSeenOnlyBy(
  this: MatcherState,
  subject: unknown,
  ...who: readonly (Viewer | SeenNodes)[]
): Verdict {
  const { viewers, options } = split(who);
  const call = { subject: 'update', text: `toBeSeenOnlyBy(${who.map(viewerText).join(', ')})` };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  const seen = seenModule().seenIn(subject, options);
  if (typeof seen === 'string') return fail(seen);
  const wrong = viewers.map((each) => wrongViewer(seen, each)).find(Boolean);
  if (wrong !== undefined) return fail(wrong);
  const actual = partiesOf(seen);
  const others = actual.filter((party) => !viewers.some((each) => covers(seen, each, party)));
  const missing = viewers.filter((each) => !actual.some((party) => covers(seen, each, party)));
  return verdict(this, call, others.length + missing.length === 0, () => [
    ...others.map((party) => `${shortened(party)} sees it, too.`),
    ...missing.map((each) => `${viewerText(each)} does not see it.`),
    ...(others.length + missing.length === 0 ? ['No other party sees it.'] : []),
    '',
    ...treeOf(seen),
  ]);
}

/** Conditions of {@link toBeSeenBy}. */
export interface SeenByOptions extends SeenNodes {
  /** One of its reasons at one of the nodes. */
  readonly because?: SeenBecause;
}

/** Whether a party or a participant sees one of the selected nodes. */
export function toBeSeenBy(
  this: MatcherState,
  subject: unknown,
  who: Viewer,
  options: SeenByOptions = {},
): Verdict {
  const { because, ...nodes } = options;
  const more = Object.keys(options).length === 0 ? '' : `, ${shown(options)}`;
  const call = { subject: 'update', text: `toBeSeenBy(${viewerText(who)}${more})` };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  const seen = seenModule().seenIn(subject, nodes);
  if (typeof seen === 'string') return fail(seen);
  const wrong = wrongViewer(seen, who);
  if (wrong !== undefined) return fail(wrong);
  const reasons = new Set<SeenBecause>();
  for (const { sights } of seen.nodes)
    for (const witness of sights.witnesses)
      if (covers(seen, who, witness.party)) {
        if (typeof who !== 'string') reasons.add('hosting');
        for (const reason of witness.reasons) reasons.add(reason);
      }
  const pass = because === undefined ? reasons.size > 0 : reasons.has(because);
  const found = reasons.size === 0 ? 'does not see it' : `sees it: ${[...reasons].join(', ')}`;
  return verdict(this, call, pass, () => [`${viewerText(who)} ${found}.`, '', ...treeOf(seen)]);
}

/** Whether a party or a participant sees no node that shows the contract. */
export function toKnowNothingOf(this: MatcherState, subject: unknown, contract: unknown): Verdict {
  const kind = isParticipant(subject) ? 'participant' : 'party';
  const call = { subject: kind, text: 'toKnowNothingOf(contract)' };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  if (typeof subject !== 'string' && !isParticipant(subject))
    return fail(`Not a party: ${shown(subject)}.`);
  const seen = seenModule().seenIn(isObject(contract) ? contract.contractId : contract);
  if (typeof seen === 'string') return fail(seen);
  const wrong = wrongViewer(seen, subject);
  if (wrong !== undefined) return fail(wrong);
  const knows = partiesOf(seen).some((party) => covers(seen, subject, party));
  return verdict(this, call, !knows, () => [
    `${viewerText(subject)} ${knows ? 'has seen' : 'has not seen'} the contract.`,
    '',
    ...treeOf(seen),
  ]);
}

function split(who: readonly (Viewer | SeenNodes)[]): {
  readonly viewers: readonly Viewer[];
  readonly options: SeenNodes;
} {
  const last = who.at(-1);
  if (last === undefined || typeof last === 'string' || isParticipant(last))
    return { viewers: who as readonly Viewer[], options: {} };
  return { viewers: who.slice(0, -1) as readonly Viewer[], options: last as SeenNodes };
}

function wrongViewer({ canticle }: Seen, who: unknown): string | undefined {
  if (isParticipant(who)) {
    const isKnown = canticle.network.participants.some(({ id }) => id === who.id);
    return isKnown ? undefined : `The participant ${who.name} is not on this ledger.`;
  }
  if (typeof who !== 'string') return `Not a party: ${shown(who)}.`;
  return canticle.network.topology.knows(who)
    ? undefined
    : `No participant hosts ${who}. A revert forgets the parties that were allocated since its snapshot.`;
}

function covers({ canticle }: Seen, who: Viewer, party: Party): boolean {
  if (typeof who === 'string') return who === party;
  return canticle.network.participants.some((each) => each.id === who.id && each.hosts(party));
}

const partiesOf = ({ nodes }: Seen): readonly Party[] =>
  [...new Set(nodes.flatMap(({ sights }) => sights.witnesses.map(({ party }) => party)))].sort();

const viewerText = (who: unknown): string => {
  if (typeof who === 'string') return shortened(who);
  return isParticipant(who) ? `participant ${who.name}` : shown(who);
};

/** Each node, with those who see it and why. */
function treeOf({ nodes }: Seen): string[] {
  const lines = nodes.flatMap((node) => {
    const indent = '  '.repeat(depthOf(node.sights) + 1);
    const who = node.sights.witnesses.map(
      ({ party }) => `${indent}    ${shortened(party)}: ${seenModule().reasonsText(node, party)}`,
    );
    return [`${indent}${node.sights.nodeId} ${nodeText(node.sights)}`, ...who];
  });
  return ['The nodes, and who sees them:', ...lines];
}

function depthOf({ parent }: NodeSights): number {
  let depth = 0;
  for (let each = parent; each !== undefined; each = each.parent) depth += 1;
  return depth;
}

function nodeText({ action, isRolledBack }: NodeSights): string {
  const end = isRolledBack ? ', rolled back' : '';
  if (action.kind === 'queryByKey')
    return `query by key ${qualifiedNameOf(action.templateId)}${end}`;
  const name = templateText(action.contract.templateId);
  return action.kind === 'exercise'
    ? `exercise ${name} ${action.choice}${end}`
    : `${action.kind} ${name}${end}`;
}
