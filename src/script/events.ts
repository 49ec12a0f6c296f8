/**
 * The events of a submission for its script. Events of the commands have the package versions that the script was
 * compiled with. Nested events have the versions that ran, or those of the same name that the script knows.
 */
import { LedgerError } from '../daml/errors/ledger-error.js';
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
  type TypeId,
} from '../daml/model/types.js';
import type { DamlRecord, DamlValue } from '../daml/model/values.js';
import { ScriptRefusal } from './failures.js';
import type { ScriptCommand, ScriptEvent } from './ledger.js';
import { choiceOf } from './values.js';

/** The packages of the events of commands: a create-and-exercise has two. Undefined for a command on an interface. */
export function intended(
  known: PackageLookup,
  commands: readonly ScriptCommand[],
): readonly (PackageId | undefined)[] {
  return commands.flatMap(({ command }) => {
    const { templateId } = command;
    const id = templateOf(known, templateId) === undefined ? undefined : packageIdOf(templateId);
    return command.kind === 'createAndExercise' ? [id, id] : [id];
  });
}

/** Where an event is in its transaction. */
export interface EventPlace {
  readonly isRoot: boolean;
  /** The package of the command on a template. */
  readonly wanted: PackageId | undefined;
}

const NESTED: EventPlace = { isRoot: false, wanted: undefined };

/**
 * The template of an event as the script knows it: in the package of its command, in the package that ran, or in the
 * package of that name. Undefined if the script knows none of them.
 */
export function shownTemplate(
  known: PackageLookup,
  templateId: TypeId,
  packageName: string,
  { wanted }: EventPlace,
): TypeId | undefined {
  const name = qualifiedNameOf(templateId);
  if (wanted !== undefined) return typeId(wanted, name);
  if (known.package(packageIdOf(templateId)) !== undefined) return templateId;
  const other = known.packageIdForName(packageName);
  const id = other && typeId(other, name);
  return id && templateOf(known, id) && id;
}

/** The value of an event; undefined if it has no form in the version that the script knows. */
export function shownValue<Value>(value: () => Value): Value | undefined {
  try {
    return value();
  } catch (error) {
    if (error instanceof ScriptRefusal || error instanceof LedgerError) return undefined;
    throw error;
  }
}

/** @param types has the types of the transaction, too */
export function eventsOf(
  known: PackageLookup,
  types: PackageLookup,
  { nodes, roots }: Transaction,
  commands: readonly ScriptCommand[],
): readonly ScriptEvent[] {
  const below = new Map<number, TransactionNode[]>();
  for (const node of nodes) {
    const siblings = below.get(node.parent);
    if (siblings === undefined) below.set(node.parent, [node]);
    else siblings.push(node);
  }
  const lookups = { known, types };
  const eventOf = (node: TransactionNode, place: EventPlace): readonly ScriptEvent[] => {
    if (node.kind === 'create') return [created(lookups, node, place)];
    if (node.kind !== 'exercise') return [];
    const children = (below.get(node.nodeId) ?? []).flatMap((child) => eventOf(child, NESTED));
    return [exercised(lookups, node, place, children)];
  };
  const wanted = intended(known, commands);
  return roots.flatMap((root, index) =>
    eventOf(nodes[root]!, { isRoot: true, wanted: wanted[index] }),
  );
}

interface Lookups {
  readonly known: PackageLookup;
  readonly types: PackageLookup;
}

function created(
  { known, types }: Lookups,
  { contract }: CreateNode,
  place: EventPlace,
): ScriptEvent {
  const { contractId, templateId, packageName, payload: value } = contract;
  const id = shownTemplate(known, templateId, packageName, place);
  if (id === undefined) return { kind: 'created', templateId, contractId, payload: undefined };
  const [from, to] = [templateId, id].map((each) => templateOf(types, each)!.payloadType);
  const payload = shownValue(() => between(types, from!, to!, value) as DamlRecord);
  const seen = payload === undefined ? templateId : id;
  return { kind: 'created', templateId: seen, contractId, payload };
}

function exercised(
  { known, types }: Lookups,
  node: ExerciseNode,
  place: EventPlace,
  children: readonly ScriptEvent[],
): ScriptEvent {
  const { contract, interfaceId, choice, templateId, packageId } = node;
  // Without a known template, a known interface still has the choice.
  const id = shownTemplate(known, templateId, contract.packageName, place) ?? templateId;
  const seen = choiceOf(known, id, interfaceId, choice);
  const ran = choiceOf(types, typeId(packageId, qualifiedNameOf(templateId)), interfaceId, choice)!;
  const argument =
    seen && shownValue(() => between(types, ran.argumentType, seen.argumentType, node.argument));
  const result =
    seen && place.isRoot ? between(types, ran.returnType, seen.returnType, node.result) : undefined;
  const of = { templateId: argument === undefined ? templateId : id, interfaceId, choice };
  return { kind: 'exercised', ...of, contractId: contract.contractId, argument, result, children };
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
