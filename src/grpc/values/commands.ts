/**
 * Reads commands from messages in a participant's two steps. The validator checks the form of all commands. The
 * engine then chooses a package for each name, and fits values to types.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { contractIdInGivenKey } from '../../daml/codec/contract-ids.js';
import { contractIdError, unsuffixedError } from '../../daml/model/contract-id-text.js';
import {
  invalidField,
  missingField,
  nameError,
  parseTypeReference,
  requireField,
  type TypeReference,
} from '../../daml/model/identifiers.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue } from '../../daml/model/values.js';
import { rootPackages } from '../../network/routing/root-packages.js';
import type { Participant } from '../../network/participant.js';
import type { ProtoValue } from '../../network/values/messages.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import type { ReadCommands } from '../../services/value-form.js';
import type { JsCommands } from '../../spec/generated/ledger.js';
import {
  choiceAt,
  keyTypeAt,
  missingPackage,
  payloadTypeAt,
  preprocessingFailed,
  templateAt,
  templateChoiceAt,
} from './lookups.js';
import { quicklyRead } from '../../network/values/quick-reader.js';
import { translated, validated } from '../../network/values/reader.js';
import { scalaValue } from '../../network/values/scala-value.js';

/** Any part of a command's message may be missing. */
interface GivenCommand {
  readonly templateId?: string;
  readonly contractId?: string;
  readonly choice?: string;
  readonly createArguments?: unknown;
  readonly choiceArgument?: unknown;
  readonly contractKey?: unknown;
}

interface GivenKey {
  readonly templateId?: string;
  readonly contractKey?: unknown;
  readonly limit?: number;
}

/** A well-formed command. */
interface Formed {
  readonly type: TypeReference;
  /** The type, after its package is chosen. */
  readonly command: (packages: PackageLookup, id: TypeId) => Command;
}

/** Two steps: the check of a value, and its conversion to its type. */
interface Reading<V> {
  /** @throws LedgerError if the form is wrong, regardless of the type */
  readonly form: (given: unknown, field: string) => V;
  readonly fit: (packages: PackageLookup, type: DamlType, value: V) => DamlValue;
}

const THOROUGH: Reading<ProtoValue> = { form: validated, fit: translated };
const QUICK: Reading<unknown> = { form: (given) => given, fit: quicklyRead };

export function readCommands(participant: Participant, request: JsCommands): ReadCommands {
  return quicklyReadCommands(participant, request) ?? thoroughlyRead(participant, request);
}

/**
 * The fast path for commands without errors, which is nearly always sufficient. @returns undefined if the thorough path
 * must start again
 */
function quicklyReadCommands(
  participant: Participant,
  request: JsCommands,
): ReadCommands | undefined {
  if (request.commands.length === 0 || (request.prefetchContractKeys?.length ?? 0) > 0)
    return undefined;
  try {
    const formed = request.commands.map((command) => formedCommand(command, QUICK));
    return {
      commands: fitted(participant, request, formed),
      named: formed.map(({ type }) => isNamed(type)),
      errors: {},
    };
  } catch {
    // The thorough path finds the error again, in the right order.
    return undefined;
  }
}

function fitted(
  participant: Participant,
  request: JsCommands,
  formed: readonly Formed[],
): Command[] {
  const packages = packagesFor(participant, request, formed);
  return formed.map(({ type, command }) => command(packages, resolved(packages, type, 'template')));
}

function thoroughlyRead(participant: Participant, request: JsCommands): ReadCommands {
  const formed = attempt(() => request.commands.map((each) => formedCommand(each, THOROUGH)));
  const keys = attempt(() => (request.prefetchContractKeys ?? []).map(formedKey));
  const named = formed.value?.map(({ type }) => isNamed(type)) ?? [];
  const error = formed.error ?? keys.error;
  if (error !== undefined || request.commands.length === 0)
    return { commands: [], named, errors: { commands: formed.error, prefetchedKeys: keys.error } };
  const commands: Command[] = [];
  const { error: preprocessing } = attempt(() => {
    const packages = packagesFor(participant, request, formed.value!);
    for (const { type, command } of formed.value!)
      commands.push(command(packages, resolved(packages, type, 'template')));
    for (const each of keys.value!) each(packages);
  });
  return { commands, named, errors: { preprocessing } };
}

/** An error that is thrown in its order. */
function attempt<T>(read: () => T): { readonly value?: T; readonly error?: LedgerError } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof LedgerError) return { error };
    throw error;
  }
}

function typeOf(reference: string | undefined): TypeReference {
  if (reference === undefined) throw missingField('template_id');
  return parseTypeReference(reference);
}

const choiceIn = (choice = ''): string => requireField(nameError, choice, 'choice');
const isNamed = ({ packageReference }: TypeReference): boolean => packageReference.startsWith('#');

/** In the order of the validator. */
function formedCommand<V>(message: JsCommands['commands'][number], reading: Reading<V>): Formed {
  const [found] = Object.entries(message as Readonly<Record<string, GivenCommand>>);
  if (found === undefined) throw missingField('command');
  const [kind, given] = found;
  const type = typeOf(given.templateId);
  const { form } = reading;
  switch (kind) {
    case 'CreateCommand': {
      const payload = form(given.createArguments, 'create_arguments');
      return { type, command: createOf(reading, payload) };
    }
    case 'ExerciseCommand': {
      const contractId = contractIdIn(given.contractId);
      const choice = choiceIn(given.choice);
      const argument = form(given.choiceArgument, 'value');
      return { type, command: exerciseOf(reading, contractId, choice, argument) };
    }
    case 'ExerciseByKeyCommand': {
      const key = form(given.contractKey, 'contract_key');
      const choice = choiceIn(given.choice);
      const argument = form(given.choiceArgument, 'value');
      return { type, command: exerciseByKeyOf(reading, key, choice, argument) };
    }
    default: {
      const payload = form(given.createArguments, 'create_arguments');
      const choice = choiceIn(given.choice);
      const argument = form(given.choiceArgument, 'value');
      return { type, command: createAndExerciseOf(reading, payload, choice, argument) };
    }
  }
}

function contractIdIn(contractId = ''): string {
  if (contractId === '') throw missingField('contract_id');
  const error = contractIdError(contractId);
  if (error !== undefined) throw invalidField('contract_id', error);
  return contractId;
}

const createOf =
  <V>({ fit }: Reading<V>, given: V): Formed['command'] =>
  (packages, templateId) => {
    const { payloadType } = templateAt(packages, templateId);
    const payload = fit(packages, payloadType, given) as DamlRecord;
    return { kind: 'create', templateId, payload };
  };

const exerciseOf =
  <V>({ fit }: Reading<V>, contractId: string, choice: string, given: V): Formed['command'] =>
  (packages, templateId) => {
    const { argumentType } = choiceAt(packages, templateId, choice);
    const error = unsuffixedError(contractId);
    if (error !== undefined) throw preprocessingFailed(error);
    const argument = fit(packages, argumentType, given);
    return { kind: 'exercise', templateId, contractId, choice, argument };
  };

const exerciseByKeyOf =
  <V>({ fit }: Reading<V>, givenKey: V, choice: string, given: V): Formed['command'] =>
  (packages, templateId) => {
    const { argumentType } = templateChoiceAt(packages, templateId, choice);
    const keyType = keyTypeAt(packages, templateId);
    const argument = fit(packages, argumentType, given);
    const key = fit(packages, keyType, givenKey);
    return { kind: 'exerciseByKey', templateId, key, choice, argument };
  };

const createAndExerciseOf =
  <V>({ fit }: Reading<V>, givenPayload: V, choice: string, given: V): Formed['command'] =>
  (packages, templateId) => {
    const payloadType = payloadTypeAt(packages, templateId);
    const payload = fit(packages, payloadType, givenPayload) as DamlRecord;
    const { argumentType } = templateChoiceAt(packages, templateId, choice);
    const argument = fit(packages, argumentType, given);
    return { kind: 'createAndExercise', templateId, payload, choice, argument };
  };

/** Only errors matter here: prefetched contracts are only faster. The reader treats negative limits as large ones. */
function formedKey(given: GivenKey): (packages: PackageLookup) => void {
  const type = typeOf(given.templateId);
  const key = validated(given.contractKey, 'contract_key');
  if (given.limit === 0) throw invalidArgument('limit must be a positive integer, but got 0');
  return (packages) => {
    const id = resolved(packages, type, 'template');
    if (templateAt(packages, id).key === undefined)
      throw preprocessingFailed(
        `Template of prefetched contract key does not define a key: ${given.templateId} (${scalaValue(key)})`,
      );
    const keyType = keyTypeAt(packages, id);
    const refusal = contractIdInGivenKey(packages, keyType, translated(packages, keyType, key));
    if (refusal !== undefined) throw refusal;
  };
}

function resolved(
  packages: PackageLookup,
  { packageReference, module, entity }: TypeReference,
  sought: string,
): TypeId {
  if (!packageReference.startsWith('#')) return `${packageReference}:${module}:${entity}`;
  const packageId = packages.packageIdForName(packageReference.slice(1));
  if (packageId === undefined)
    throw missingPackage(
      packages,
      packageReference,
      `${sought} ${packageReference}:${module}:${entity}`,
    );
  return `${packageId}:${module}:${entity}`;
}

/** A name means the package that the first pass chose. If only keys use a name, it means the preferred package. */
function packagesFor(
  participant: Participant,
  { actAs, synchronizerId, packageIdSelectionPreference: preference = [] }: JsCommands,
  commands: readonly Formed[],
): PackageLookup {
  const { packages } = participant;
  const references = commands.map(({ type }) => type).filter(isNamed);
  const names = [...new Set(references.map(({ packageReference }) => packageReference.slice(1)))];
  const [submitter] = actAs;
  const chosen =
    names.length === 0 || submitter === undefined
      ? undefined
      : rootPackages(participant, {
          names,
          submitter,
          synchronizerId: synchronizerId || undefined,
          preference,
        });
  const preferred = participant.packagesFor();
  return {
    root: packages,
    package: (id) => packages.package(id),
    packageIdForName: (name) => chosen?.get(name) ?? preferred.packageIdForName(name),
    packageNames: () => packages.packageNames(),
  };
}
