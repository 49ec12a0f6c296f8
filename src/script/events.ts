/**
 * The events of a submission for its script. Events of the commands have the package versions that the script was
 * compiled with. Nested events have the versions that ran.
 */
import { contractTranslator, Untranslatable } from '../daml/upgrade/translation.js';
import { template as templateOf, type PackageLookup } from '../daml/model/package.js';
import type {
  CreateNode,
  ExerciseNode,
  Transaction,
  TransactionNode,
} from '../daml/model/transaction.js';
import {
  packageIdOf,
  qualifiedNameOf,
  typeId,
  type DamlType,
  type PackageId,
} from '../daml/model/types.js';
import type { DamlRecord, DamlValue } from '../daml/model/values.js';
import { ScriptRefusal } from './failures.js';
import type { ScriptCommand, ScriptEvent } from './ledger.js';
import { choiceOf } from './values.js';

/** The packages of the events of commands: a create-and-exercise has two. */
function intended(commands: readonly ScriptCommand[]): readonly PackageId[] {
  return commands.flatMap(({ command }) => {
    const id = packageIdOf(command.templateId);
    return command.kind === 'createAndExercise' ? [id, id] : [id];
  });
}

export function eventsOf(
  packages: PackageLookup,
  { nodes, roots }: Transaction,
  commands: readonly ScriptCommand[],
): readonly ScriptEvent[] {
  const below = new Map<number, TransactionNode[]>();
  for (const node of nodes) {
    const siblings = below.get(node.parent);
    if (siblings === undefined) below.set(node.parent, [node]);
    else siblings.push(node);
  }
  const eventOf = (node: TransactionNode, wanted?: PackageId): readonly ScriptEvent[] => {
    if (node.kind === 'create') return [created(packages, node, wanted)];
    if (node.kind !== 'exercise') return [];
    const children = (below.get(node.nodeId) ?? []).flatMap((child) => eventOf(child));
    return [exercised(packages, node, wanted, children)];
  };
  const wanted = intended(commands);
  return roots.flatMap((root, place) => eventOf(nodes[root]!, wanted[place]));
}

function created(
  packages: PackageLookup,
  { contract }: CreateNode,
  wanted: PackageId | undefined,
): ScriptEvent {
  const { contractId, templateId, payload } = contract;
  const id = wanted === undefined ? templateId : typeId(wanted, qualifiedNameOf(templateId));
  const [from, to] = [templateOf(packages, templateId), templateOf(packages, id)];
  const shown =
    from === undefined || to === undefined
      ? payload
      : (between(packages, from.payloadType, to.payloadType, payload) as DamlRecord);
  return { kind: 'created', templateId: id, contractId, payload: shown };
}

function exercised(
  packages: PackageLookup,
  node: ExerciseNode,
  wanted: PackageId | undefined,
  children: readonly ScriptEvent[],
): ScriptEvent {
  const { contract, interfaceId, choice, templateId, packageId } = node;
  const name = qualifiedNameOf(templateId);
  // Keeps the interface, because only its package defines it.
  const id = wanted === undefined || interfaceId ? templateId : typeId(wanted, name);
  const ran = choiceOf(packages, typeId(packageId, name), interfaceId, choice)!;
  const seen = choiceOf(packages, id, interfaceId, choice) ?? ran;
  return {
    kind: 'exercised',
    templateId: id,
    interfaceId,
    contractId: contract.contractId,
    choice,
    argument: between(packages, ran.argumentType, seen.argumentType, node.argument),
    result: between(packages, ran.returnType, seen.returnType, node.result),
    children,
  };
}

/** @throws ScriptRefusal if the value has no form in the other version */
export function between(
  packages: PackageLookup,
  from: DamlType,
  to: DamlType,
  value: DamlValue,
): DamlValue {
  if (from === to) return value;
  try {
    return contractTranslator(packages).between(from, to)(value);
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    throw new ScriptRefusal(error.problem.message, 'ConverterException');
  }
}
