/**
 * Turns JSON commands into typed commands: resolves references to packages, and reads arguments by their types. Two
 * layers refuse commands, in the order of the real system. Errors of the JSON layer are thrown at once. Errors of
 * the ledger behind it are returned.
 */
import { contractIdError, unsuffixedError } from '../../model/contract-id-text.js';
import {
  dottedNameError,
  invalidArgument,
  invalidField,
  missingField,
  nameError,
  packageReferenceError,
  partsOfReference,
  typeReferenceFormError,
} from '../../model/identifiers.js';
import { decodeValueInPhases } from './codec.js';
import type { ValueRules } from './value-rules.js';
import { refusedByJsonLayer } from './json-layer.js';
import { ledgerError, type LedgerError } from '../../errors/ledger-error.js';
import { contractIdInGivenKey } from '../contract-ids.js';
import { didYouMean, formHint, packageHint, templateHint } from '../name-hints.js';
import {
  interfaceDefinition,
  resolveTypeId,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../../model/package.js';
import type { Command } from '../../model/transaction.js';
import { packageIdOf, type TypeId } from '../../model/types.js';
import type { DamlRecord } from '../../model/values.js';

export interface DecodedCommand {
  readonly command: Command;
  /** The error of the ledger, after the JSON layer has accepted the command. */
  readonly refusal: LedgerError | undefined;
}

/**
 * The contract's id is a field of the request, and then part of the command: each layer has its own rule (B-ID-018,
 * B-ID-019).
 */
function contractIdRefusal(contractId: string): LedgerError | undefined {
  if (contractId === '') return missingField('contract_id');
  const error = contractIdError(contractId);
  if (error !== undefined) return invalidField('contract_id', error);
  const unsuffixed = unsuffixedError(contractId);
  return unsuffixed === undefined
    ? undefined
    : ledgerError('COMMAND_PREPROCESSING_FAILED', unsuffixed);
}

/** The validator's refusals come before the preprocessor's, for all parts of the command. */
export function firstRefusal(
  refusals: readonly (LedgerError | undefined)[],
): LedgerError | undefined {
  const found = refusals.filter((refusal) => refusal !== undefined);
  return found.find((refusal) => !isPreprocessing(refusal)) ?? found[0];
}

export function isPreprocessing({ code }: LedgerError): boolean {
  return code === 'COMMAND_PREPROCESSING_FAILED';
}

/** Resolves a template or interface reference. Throws the JSON layer's error for an unknown reference. */
function resolveReference(packages: PackageLookup, reference: string): TypeId {
  const form = typeReferenceFormError(reference);
  if (form !== undefined) throw invalidArgument(form).explained(formHint(packages, reference));
  const id = resolveTypeId(packages, reference);
  if (id !== undefined) return id;
  const [packageReference] = partsOfReference(reference);
  requirePackageReference(packageReference);
  throw ledgerError('PACKAGE_NAMES_NOT_FOUND', {
    cause: `The following package names do not match upgradable packages uploaded on this participant: [${packageReference.slice(1)}].`,
    explanation: packageHint(packages, packageReference.slice(1)),
  });
}

function requirePackageReference(text: string): void {
  const error = packageReferenceError(text);
  if (error !== undefined) throw invalidField('package reference', error);
}

/** Checks the names in an id. The ledger checks them only if the type does not exist and an error must name it. */
function requireNames(id: TypeId): void {
  const [packageId, ...names] = partsOfReference(id);
  requirePackageReference(packageId);
  for (const name of names) {
    const error = dottedNameError(name);
    if (error !== undefined) throw refusedByJsonLayer(error);
  }
}

export function decodeCreate(
  packages: PackageLookup,
  reference: string,
  given: unknown,
  rules?: ValueRules,
): DecodedCommand {
  const templateId = resolveReference(packages, reference);
  const template = templateOf(packages, templateId);
  const type = template?.payloadType ?? interfaceDefinition(packages, templateId)?.viewType;
  if (type === undefined) throw notFound(packages, templateId);
  const { value, refusal } = decodeValueInPhases(packages, type, given, 'createArguments', rules);
  const command: Command = { kind: 'create', templateId, payload: value as DamlRecord };
  if (template !== undefined) return { command, refusal };
  return { command, refusal: firstRefusal([noTemplate(templateId), refusal]) };
}

/**
 * The JSON layer reads the payload of an interface as its view. The ledger has no template with the interface's id
 * (B-CMD-060).
 */
function noTemplate(id: TypeId): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', {
    cause: `unknown template ${id}`,
    explanation: 'It is an interface, and contracts are created of templates.',
  });
}

export function decodeExercise(
  packages: PackageLookup,
  reference: string,
  contractId: string,
  choiceName: string,
  given: unknown,
  rules?: ValueRules,
): DecodedCommand {
  const templateId = resolveReference(packages, reference);
  const choice = findChoice(packages, templateId, choiceName);
  const { value: argument, refusal } = decodeArgument(packages, choice, given, rules);
  return {
    command: { kind: 'exercise', templateId, contractId, choice: choiceName, argument },
    refusal: firstRefusal([contractIdRefusal(contractId), refusal]),
  };
}

export function decodeCreateAndExercise(
  packages: PackageLookup,
  reference: string,
  createArguments: unknown,
  choiceName: string,
  choiceArgument: unknown,
  rules?: ValueRules,
): DecodedCommand {
  const created = decodeCreate(packages, reference, createArguments, rules);
  const { templateId, payload } = created.command as Extract<Command, { kind: 'create' }>;
  const choice = findChoice(packages, templateId, choiceName);
  const { value: argument, refusal } = decodeArgument(packages, choice, choiceArgument, rules);
  return {
    command: { kind: 'createAndExercise', templateId, payload, choice: choiceName, argument },
    refusal: firstRefusal([created.refusal, refusal]),
  };
}

export function decodeExerciseByKey(
  packages: PackageLookup,
  reference: string,
  givenKey: unknown,
  choiceName: string,
  given: unknown,
  rules?: ValueRules,
): DecodedCommand {
  const templateId = resolveReference(packages, reference);
  const choice = findChoice(packages, templateId, choiceName);
  const { value: argument, refusal } = decodeArgument(packages, choice, given, rules);
  const { key: definition } = templateOf(packages, templateId) ?? {};
  if (definition === undefined) throw notFound(packages, templateId);
  const key = decodeValueInPhases(packages, definition.type, givenKey, 'contractKey', rules);
  return {
    command: { kind: 'exerciseByKey', templateId, key: key.value, choice: choiceName, argument },
    refusal: firstRefusal([key.refusal, refusal]),
  };
}

/**
 * Reads a contract key from `prefetchContractKeys`. Returns the ledger's error, if any. A key has no other effect,
 * because prefetching only makes commands faster.
 */
export function readPrefetchKey(
  packages: PackageLookup,
  reference: string,
  givenKey: unknown,
  rules?: ValueRules,
): LedgerError | undefined {
  const [packageReference] = partsOfReference(reference);
  requirePackageReference(packageReference);
  if (packageReference.startsWith('#'))
    throw ledgerError(
      'LEDGER_API_INTERNAL_ERROR',
      `Unexpected package-name format for identifier ${reference}, expected package id. This is likely a programming error. Please contact support`,
    );
  const { key } = templateOf(packages, reference) ?? {};
  if (key === undefined) throw notFound(packages, reference);
  const { value, refusal } = decodeValueInPhases(
    packages,
    key.type,
    givenKey,
    'contractKey',
    rules,
  );
  return refusal ?? contractIdInGivenKey(packages, key.type, value);
}

/** A missing argument is an empty one (B-VAL-029). */
function decodeArgument(
  packages: PackageLookup,
  { argumentType }: Choice,
  given: unknown,
  rules: ValueRules | undefined,
) {
  return decodeValueInPhases(packages, argumentType, given ?? {}, 'choiceArgument', rules);
}

/** @throws LedgerError TEMPLATES_OR_INTERFACES_NOT_FOUND, INVALID_ARGUMENT */
export function findChoice(packages: PackageLookup, id: TypeId, name: string): Choice {
  const choices = (interfaceDefinition(packages, id) ?? templateOf(packages, id))?.choices;
  const choice = choices?.get(name);
  if (choice !== undefined) return choice;
  const error = nameError(name);
  if (error !== undefined) throw refusedByJsonLayer(error);
  if (packages.package(packageIdOf(id)) === undefined) throw notFound(packages, id);
  requireNames(id);
  throw ledgerError('INVALID_ARGUMENT', {
    cause: `The submitted request has invalid arguments: Invalid template:${id} or choice:${name}`,
    explanation: choices
      ? `It has no choice ${name}.${didYouMean(name, [...choices.keys()].sort())} An interface's choices are addressed by the interface id.`
      : templateHint(packages, id),
  });
}

function notFound(packages: PackageLookup, id: TypeId): LedgerError {
  requireNames(id);
  const isThere = templateOf(packages, id) !== undefined;
  return ledgerError('TEMPLATES_OR_INTERFACES_NOT_FOUND', {
    cause: `Templates do not exist: [${id}].`,
    resources: [['TEMPLATE_ID', id]],
    explanation: isThere ? 'The template has no contract key.' : templateHint(packages, id),
  });
}
