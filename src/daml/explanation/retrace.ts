/**
 * Runs the commands of a refused submission once more, with the same inputs and seed, and records what they do. Interpretation
 * is a function of its inputs, so this may be done at any later time: contracts are those that the first run found.
 */
import type { Savepoint } from '../interpreter/frame.js';
import type { InterpreterInput, UsedContracts } from '../interpreter/input.js';
import { LedgerError } from '../errors/ledger-error.js';
import type {
  Action,
  Command,
  ContractInstance,
  ContractKey,
  Transaction,
} from '../model/transaction.js';
import { qualifiedNameOf } from '../model/types.js';
import type { PackageLookup } from '../model/package.js';
import { interfaceDefinition, template as templateOf } from '../model/package.js';
import type { ContractId, Party, Timestamp } from '../model/values.js';
import { withPlaces } from './code-places.js';
import type { Trace, TracedAction } from './trace.js';
import type { ActionOutcome } from '../errors/explanation.js';
import { tracingInterpreter, type Sampling } from './sampling.js';
import { TracingInterpreter } from './tracing-interpreter.js';

/** @returns undefined where packages are gone, by a revert, that the first run had */
export function retrace(
  input: InterpreterInput,
  used: UsedContracts,
  error: LedgerError,
  sampling?: Sampling,
): Trace | undefined {
  const contract = (id: ContractId): ContractInstance => {
    const known = used.byId.get(id);
    // The one that the first run did not get was what it failed for; a new error knows where it is thrown now.
    if (known === undefined) throw new LedgerError(error.code, error.details);
    return known;
  };
  const contractsByKey = ({ hash }: ContractKey) => used.withKey(hash);
  const claim = (id: ContractId) => input.claim?.(id);
  let ledgerTime: Timestamp | undefined;
  const onTime = () => void ({ ledgerTime } = input);
  const again = { ...input, contract, claim, contractsByKey, onTime, onRefusal: undefined };
  const run = (): Trace | undefined => {
    const interpreter = tracingInterpreter(again, sampling);
    try {
      interpreter.run();
    } catch (thrown) {
      if (!isSame(thrown, error)) return undefined;
      interpreter.hear();
      interpreter.addUnreached();
      return { ...interpreter.trace, ledgerTime };
    }
    return undefined;
  };
  return withPlaces(run);
}

/**
 * Commands that were refused before any was interpreted.
 * @param areSound false where reading them found faults: then their values have holes, and are left out
 */
export function unreached(
  packages: PackageLookup,
  commands: readonly Command[],
  areSound: boolean,
): Trace {
  const input = { commands, packages, actAs: [], ledgerTime: 0n, seed: '' };
  const interpreter = new TracingInterpreter({ ...input, contract: () => undefined });
  interpreter.addUnreached();
  const { trace } = interpreter;
  if (areSound) return trace;
  const actions = trace.actions.map((action) =>
    typeof action === 'string' ? action : { ...action, argument: undefined },
  );
  return { ...trace, actions };
}

function isSame(thrown: unknown, error: LedgerError): boolean {
  return (
    thrown instanceof LedgerError &&
    thrown.code === error.code &&
    thrown.details.cause === error.details.cause
  );
}

/** What is around a node: where it goes, the scopes that it is in there, and whose authority it has. */
interface Inside {
  readonly siblings: (TracedAction | string)[];
  readonly scopes?: readonly Savepoint[] | undefined;
  readonly given: readonly Party[];
}

/**
 * The actions of a transaction that was interpreted before, as far as its nodes tell.
 * @param authorizers of its commands, where they are wanted
 */
export function traceOf(
  packages: PackageLookup,
  { nodes }: Transaction,
  authorizers: readonly Party[] = [],
): Trace {
  const root: Inside = { siblings: [], given: authorizers };
  /** By node: below its own action, or beside a scope. */
  const inside: Inside[] = [];
  for (const node of nodes) {
    const around = node.parent < 0 ? root : inside[node.parent]!;
    if (node.kind === 'rollback') {
      inside.push({ ...around, scopes: [...(around.scopes ?? []), node] });
      continue;
    }
    const { given, scopes } = around;
    const [own, outcome] =
      node.kind === 'rolledBack'
        ? ([node.action, 'rolledBack'] as const)
        : ([node, 'done'] as const);
    const action = { ...actionOf(packages, own, given, outcome), ...(scopes && { scopes }) };
    around.siblings.push(action);
    inside.push({
      siblings: action.children,
      given: authorizers.length > 0 ? givenBelow(own) : [],
    });
  }
  return { actions: root.siblings, stack: [] };
}

function givenBelow(node: Action): readonly Party[] {
  if (node.kind !== 'exercise') return [];
  return [...new Set([...node.contract.signatories, ...node.actingParties])].sort();
}

function actionOf(
  packages: PackageLookup,
  node: Action,
  given: readonly Party[],
  outcome: ActionOutcome,
): TracedAction {
  const common = { given, children: [], outcome, node };
  if (node.kind === 'queryByKey') {
    const { templateId: id, key } = node;
    const type = templateOf(packages, id)?.key?.type;
    const argument = type && { type, value: key.value };
    return {
      ...common,
      kind: 'lookup',
      id,
      argument,
      required: key.maintainers,
      found: node.result,
    };
  }
  const { contractId, templateId, payload, signatories } = node.contract;
  const payloadType = templateOf(packages, templateId)?.payloadType;
  if (node.kind === 'create')
    return {
      ...common,
      kind: node.kind,
      id: templateId,
      contractId,
      argument: payloadType && { type: payloadType, value: payload },
      required: signatories,
    };
  if (node.kind === 'fetch')
    return { ...common, kind: node.kind, id: node.interfaceId ?? templateId, contractId };
  const own = `${node.packageId}:${qualifiedNameOf(templateId)}`;
  const id = node.interfaceId ?? own;
  const choices = (interfaceDefinition(packages, id) ?? templateOf(packages, id))?.choices;
  const type = choices?.get(node.choice)?.argumentType;
  return {
    ...common,
    kind: node.kind,
    id,
    contractId,
    templateId: id === templateId ? undefined : templateId,
    choice: node.choice,
    consuming: node.consuming,
    argument: type && { type, value: node.argument },
    required: node.actingParties,
  };
}
