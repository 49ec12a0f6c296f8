/** Converts recorded actions to the nodes of a trace: in pre-order, with names, values as JSON, authority and witnesses. */
import type { Savepoint } from '../interpreter/frame.js';
import { encodeValue } from '../codec/json/codec.js';
import type { Trace, TracedAction, TypedValue } from './trace.js';
import {
  interfaceDefinition,
  packagesFor,
  template as templateOf,
  type PackageLookup,
} from '../model/package.js';
import {
  stakeholdersOf,
  type Action,
  type ContractInstance,
  type RollbackNode,
  type TransactionNode,
} from '../model/transaction.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../model/types.js';
import type { ContractId, Party } from '../model/values.js';
import type { TraceAuthority, TraceNode } from './trace-types.js';
import {
  disclosedTo,
  informees,
  seeingBelow,
  witnessesOf,
  type Seeing,
} from './witness-reasons.js';

export interface NodesOf {
  readonly packages: PackageLookup;
  /** The nodes of the finished transaction, if there is one, which have the numbers. */
  readonly transaction: readonly TransactionNode[];
  /** The submitting parties and those they read as. */
  readonly readers: readonly Party[];
}

type Scope = RollbackNode | Savepoint;

interface InScopes {
  readonly action: TracedAction;
  /** Outermost first. */
  readonly scopes: readonly Scope[];
}

/** Sibling actions, of which those before `next` were added. */
interface Siblings {
  readonly actions: readonly InScopes[];
  next: number;
  readonly parent: number | undefined;
  readonly depth: number;
  readonly around: Seeing;
  /** The number of their scopes that were already added. */
  readonly level: number;
}

const NOBODY: Seeing = new Map();

/** The nodes of recorded actions. */
export function traceNodes(actions: Trace['actions'], facts: NodesOf): readonly TraceNode[] {
  return new Builder(facts).build(actions);
}

class Builder {
  private readonly nodes: TraceNode[] = [];
  private readonly numbers = new Map<Action, number>();
  private readonly created = new Set<ContractId>();

  constructor(private readonly facts: NodesOf) {
    for (const node of facts.transaction) {
      if (node.kind === 'rollback') continue;
      this.numbers.set(node.kind === 'rolledBack' ? node.action : node, node.nodeId);
    }
  }

  build(actions: Trace['actions']): readonly TraceNode[] {
    const top = { parent: undefined, depth: 0, around: NOBODY, level: 0 };
    // Without recursion, because exercises can nest very deep.
    const open: Siblings[] = [{ ...top, actions: this.inScopes(actions), next: 0 }];
    for (let siblings = open.at(-1); siblings !== undefined; siblings = open.at(-1))
      if (siblings.next === siblings.actions.length) open.pop();
      else open.push(this.addNext(siblings));
    return this.nodes;
  }

  /** Each action with its rolled back scopes; those of the transaction, if it is part of one. */
  private inScopes(actions: Trace['actions']): readonly InScopes[] {
    const all: InScopes[] = [];
    for (const action of actions) {
      if (typeof action === 'string') continue;
      const before = all.at(-1);
      const isBeside =
        action.scopes?.[0] !== undefined && action.scopes[0] === before?.action.scopes?.[0];
      const own = this.scopesOf(action.node) ?? (isBeside ? before?.scopes : action.scopes);
      all.push({ action, scopes: own ?? [] });
    }
    return all;
  }

  private scopesOf(node: Action | undefined): readonly Scope[] | undefined {
    const { transaction } = this.facts;
    const number = node && this.numbers.get(node);
    if (number === undefined) return undefined;
    const scopes: Scope[] = [];
    for (let around = transaction[transaction[number]!.parent]; around?.kind === 'rollback';) {
      scopes.unshift(around);
      around = transaction[around.parent];
    }
    return scopes;
  }

  /**
   * Adds the next action and the scope that it opens.
   * @returns the actions below it
   */
  private addNext(siblings: Siblings): Siblings {
    const { actions, parent, depth, around, level } = siblings;
    const from = siblings.next;
    const { action, scopes } = actions[from]!;
    const scope = scopes[level];
    siblings.next += 1;
    if (scope === undefined) return this.add(action, parent, depth, around);
    while (actions[siblings.next]?.scopes[level] === scope) siblings.next += 1;
    const id = this.nodes.length;
    this.nodes.push({
      id,
      ...(parent !== undefined && { parent }),
      depth,
      kind: 'rollback',
      outcome: 'rolledBack',
      ...(isNode(scope) && { nodeId: scope.nodeId }),
      witnesses: witnessesOf(new Map(), around, []),
    });
    const inside = actions.slice(from, siblings.next);
    return { actions: inside, next: 0, parent: id, depth: depth + 1, around, level: level + 1 };
  }

  private add(
    action: TracedAction,
    parent: number | undefined,
    depth: number,
    around: Seeing,
  ): Siblings {
    const id = this.nodes.length;
    const { node } = action;
    const own = node === undefined ? new Map<Party, never>() : informees(node);
    const contract = node === undefined || node.kind === 'queryByKey' ? undefined : node.contract;
    if (node?.kind === 'create') this.created.add(node.contract.contractId);
    const disclosed =
      contract === undefined || this.created.has(contract.contractId)
        ? []
        : disclosedTo(contract, this.facts.readers);
    const messages = action.children.filter((child) => typeof child === 'string');
    const number = node && this.numbers.get(node);
    const isDone = action.outcome === 'done';
    this.nodes.push({
      id,
      ...(parent !== undefined && { parent }),
      depth,
      kind: action.kind,
      outcome: action.outcome,
      ...(action.isCulprit && { culprit: true }),
      ...(number !== undefined && { nodeId: number }),
      ...(number !== undefined &&
        isDone &&
        (node?.kind === 'create' || node?.kind === 'exercise') && { event: true }),
      ...this.namesOf(action),
      ...this.valuesOf(action),
      ...(action.at && { at: action.at }),
      ...(action.calls && { calls: action.calls }),
      ...(action.outcome !== 'notReached' && { authority: authorityOf(action, contract) }),
      ...partiesOf(node, contract),
      witnesses: witnessesOf(own, around, disclosed),
      ...(action.steps !== undefined && { steps: Math.round(action.steps) }),
      ...(messages.length > 0 && { messages }),
    });
    const below = action.kind === 'exercise' ? seeingBelow(around, own, id) : around;
    const actions = this.inScopes(action.children);
    return { actions, next: 0, parent: id, depth: depth + 1, around: below, level: 0 };
  }

  private namesOf(action: TracedAction): Partial<TraceNode> {
    const { id, templateId, choice, consuming, contractId } = action;
    const isInterface = interfaceDefinition(this.facts.packages, id) !== undefined;
    const own = isInterface ? (interfaceTemplate(action) ?? templateId) : id;
    return {
      ...(own !== undefined && { template: this.byName(own), templateId: own }),
      ...(isInterface && { interface: this.byName(id), interfaceId: id }),
      ...(choice !== undefined && { choice }),
      ...(consuming !== undefined && { consuming }),
      ...(contractId !== undefined && { contractId }),
    };
  }

  private byName(id: TypeId): string {
    const name = this.packagesOf(id).package(packageIdOf(id))?.name;
    return name === undefined ? id : `#${name}:${qualifiedNameOf(id)}`;
  }

  private packagesOf(id: TypeId): PackageLookup {
    return packagesFor(this.facts.packages, id);
  }

  private valuesOf(action: TracedAction): Partial<TraceNode> {
    const { kind, node, argument, payload, key, found } = action;
    const keyValue = kind === 'lookup' ? argument : key;
    const values: Partial<Record<keyof TraceNode, unknown>> = {};
    if (keyValue !== undefined) values.key = this.json(keyValue);
    if (argument !== undefined && kind !== 'lookup') values.argument = this.json(argument);
    if (payload !== undefined) values.payload = this.json(payload);
    if (found !== undefined) values.found = found;
    if (node?.kind === 'exercise' && node.aborted !== true) {
      const type = this.returnTypeOf(node);
      if (type !== undefined) values.result = this.json({ type, value: node.result });
    }
    return values as Partial<TraceNode>;
  }

  private returnTypeOf(
    node: Extract<Action, { kind: 'exercise' }>,
  ): TypedValue['type'] | undefined {
    const { packages } = this.facts;
    const id = node.interfaceId ?? `${node.packageId}:${qualifiedNameOf(node.templateId)}`;
    const { choices } = interfaceDefinition(packages, id) ?? templateOf(packages, id) ?? {};
    return choices?.get(node.choice)?.returnType;
  }

  private json({ type, value }: TypedValue): unknown {
    const { packages } = this.facts;
    return encodeValue(type.kind === 'con' ? this.packagesOf(type.id) : packages, type, value);
  }
}

const isNode = (scope: Scope): scope is RollbackNode => 'kind' in scope;

/** The contract's template in the requested version. */
function interfaceTemplate({ node }: TracedAction): TypeId | undefined {
  return node?.kind === 'exercise' || node?.kind === 'fetch' ? node.templateId : undefined;
}

function authorityOf(
  { kind, given, required, node }: TracedAction,
  contract: ContractInstance | undefined,
): TraceAuthority {
  const isFetch = kind === 'fetch';
  const needed =
    required ?? (isFetch && contract ? [...stakeholdersOf(contract)].sort() : undefined);
  const lacking = needed?.filter((party) => !given.includes(party)) ?? [];
  // A fetch needs one of the required parties. If it has a node, it had one.
  const missing = isFetch && node !== undefined ? [] : lacking;
  return { had: given, ...(needed && { needed }), ...(isFetch && { anyOf: true }), missing };
}

function partiesOf(
  node: Action | undefined,
  contract: ContractInstance | undefined,
): Partial<TraceNode> {
  if (node === undefined || contract === undefined) return {};
  const { signatories, observers } = contract;
  return {
    signatories,
    observers,
    ...((node.kind === 'exercise' || node.kind === 'fetch') && { actors: node.actingParties }),
    ...(node.kind === 'exercise' && { choiceObservers: node.choiceObservers }),
  };
}
