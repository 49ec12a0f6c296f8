/**
 * Translates requests of the command services into commands of a participant, without ledger rules. An error of this
 * step is stored, and thrown at its place in the order of errors (B-CMD-015).
 */
import { readBlob } from '../../../daml/contract/created-event-blob.js';
import { contractIdError } from '../../../daml/model/contract-id-text.js';
import {
  decodeCreate,
  decodeCreateAndExercise,
  decodeExercise,
  decodeExerciseByKey,
  firstRefusal,
  isPreprocessing,
  readPrefetchKey,
  type DecodedCommand,
} from '../../../daml/codec/json/command.js';
import {
  packageIdError,
  parseTypeReference,
  type TypeReference,
} from '../../../daml/model/identifiers.js';
import { ledgerError, LedgerError } from '../../../daml/errors/ledger-error.js';
import type { PackageLookup } from '../../../daml/model/package.js';
import { parseInstant } from '../../../daml/codec/java-time.js';
import type { DeduplicationPeriod as EngineDeduplicationPeriod } from '../../../network/model/deduplication-period.js';
import {
  invalidArgument,
  invalidField,
  missingField,
} from '../../../network/model/request-errors.js';
import {
  validateSynchronizerId,
  type DisclosedContract as EngineDisclosedContract,
  type ReassignmentCommand as EngineReassignmentCommand,
  type ReassignmentSubmission,
  type Submission,
} from '../../../network/submission/submission.js';
import { explainReading } from '../../../network/explanation/explain.js';
import type {
  Command,
  DeduplicationPeriod,
  DisclosedContract,
  Duration,
  JsCommands,
  PrefetchContractKey,
  ReassignmentCommands,
} from '../../../spec/generated/ledger.js';
import type { LedgerContext } from '../../handler.js';
import type { ReadCommands } from '../../value-form.js';
import { releaseOf } from '../../../spec/versions.js';
import { packagesForDecoding, templateReferenceOf } from './package-names.js';
import { inJsonLayer } from '../formats/requests.js';
import { JsonLayerError, refusedByJsonLayer } from '../../../daml/codec/json/json-layer.js';
import type { ValueRules } from '../../../daml/codec/json/value-rules.js';

/** The context for reading a request's commands. */
type CommandContext = Pick<
  LedgerContext,
  'participant' | 'apiVersion' | 'values' | 'userId' | 'trace' | 'commands'
>;

type EarliestTime = Pick<JsCommands, 'minLedgerTimeAbs' | 'minLedgerTimeRel'>;

/** @param externallySigned whether the parties sign it themselves */
export function toSubmission(
  context: CommandContext,
  request: JsCommands,
  earliest: EarliestTime = request,
  externallySigned?: boolean,
): Submission {
  return reading(context, request, () => read(context, request, earliest, externallySigned));
}

/** The JSON layer's translation of commands, which needs no rights (B-AUTH-030). */
export function translateCommands(context: LedgerContext, request: JsCommands): void {
  context.commands = reading(context, request, () => readCommands(context, request));
}

function reading<R>({ participant }: CommandContext, request: JsCommands, read: () => R): R {
  const { commandId, actAs, readAs = [] } = request;
  const lines = () => request.commands.map(lineOf);
  return explainReading(participant, { commandId, actAs, readAs }, lines, read);
}

/** A command that is not resolved yet, in one line for people. */
function lineOf(command: Command): string {
  const [[kind, parts] = ['nothing', {}]] = Object.entries(command) as [
    string,
    { templateId?: string; choice?: string; contractId?: string },
  ][];
  const { templateId, choice, contractId } = parts;
  const what = [templateId, choice, contractId && `on ${contractId}`];
  return `· ${kind} ${what.filter((each) => each !== undefined).join(' ')}`;
}

function read(
  context: CommandContext,
  request: JsCommands,
  { minLedgerTimeAbs, minLedgerTimeRel }: EarliestTime,
  externallySigned: boolean | undefined,
): Submission {
  const { participant } = context;
  const { commands, named, errors } =
    context.commands ??
    context.values.commands?.(participant, request) ??
    readCommands(context, request);
  const disclosed = attempt(() =>
    (request.disclosedContracts ?? []).map((each) =>
      readDisclosed(participant.shared.everywhere, each),
    ),
  );
  const preference = request.packageIdSelectionPreference ?? [];
  const preferred = attempt(() => participant.packagesFor(preference));
  return {
    commands,
    errors: {
      prefetchedKeys: errors.prefetchedKeys,
      preprocessing: errors.preprocessing,
      commands: request.commands.length === 0 ? missingField('commands') : errors.commands,
      disclosedContracts:
        disclosed.error ??
        (participant.rules.rejectsRepeatedDisclosures
          ? repeatedDisclosure(disclosed.value ?? [])
          : conflictingDisclosures(disclosed.value ?? [])),
      packagePreference: preferred.error,
    },
    commandId: request.commandId,
    userId: request.userId || context.userId,
    actAs: request.actAs,
    readAs: request.readAs ?? [],
    workflowId: request.workflowId,
    submissionId: request.submissionId,
    synchronizerId: request.synchronizerId || undefined,
    disclosedContracts: disclosed.value,
    deduplicationPeriod: readDeduplicationPeriod(request.deduplicationPeriod),
    minLedgerTimeAbs: readTime(minLedgerTimeAbs),
    minLedgerTimeRel: minLedgerTimeRel ? toMicroseconds(minLedgerTimeRel) : undefined,
    packageIdSelectionPreference: preferred.error ? [] : preference,
    tapsMaxPasses: request.tapsMaxPasses ?? undefined,
    namedCommands: named.includes(true) ? named : undefined,
    traceContext: context.trace,
    externallySigned,
  };
}

/** As the JSON layer does, which has the packages. */
function readCommands(context: CommandContext, request: JsCommands): ReadCommands {
  return inJsonLayer(() => readJson(context, request));
}

function readJson(context: CommandContext, request: JsCommands): ReadCommands {
  const packages = packagesForDecoding(context.participant, request);
  requireShallow(context, request);
  const { values } = releaseOf(context.apiVersion);
  const decoded = decodeAll(packages, request.commands, values);
  const refusal = firstRefusal(decoded.map((each) => each.refusal));
  const prefetched = firstRefusal(
    (request.prefetchContractKeys ?? []).map((each) => readPrefetched(packages, each, values)),
  );
  return {
    commands: decoded.map(({ command }) => command),
    named: request.commands.map((command) => templateReferenceOf(command).startsWith('#')),
    errors: {
      commands: refusal && !isPreprocessing(refusal) ? refusal : undefined,
      prefetchedKeys: prefetched && !isPreprocessing(prefetched) ? prefetched : undefined,
      preprocessing: refusal ?? prefetched,
    },
  };
}

/**
 * NOTE: the JSON layer reads them side by side. Which of several errors it answers with is a race. In all
 * observations the last error won, except that an unknown template is found before a wrong value (B-CMD-061).
 */
function decodeAll(
  packages: PackageLookup,
  commands: readonly Command[],
  rules: ValueRules | undefined,
): readonly DecodedCommand[] {
  const decoded: DecodedCommand[] = [];
  let problem: LedgerError | undefined;
  for (const command of commands)
    try {
      decoded.push(decode(packages, command, rules));
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const isLate = error instanceof JsonLayerError;
      if (!(isLate && problem && !(problem instanceof JsonLayerError))) problem = error;
    }
  if (problem !== undefined) throw problem;
  return decoded;
}

/** Runs before the arguments are read, independent of their types. */
function requireShallow({ apiVersion }: CommandContext, request: JsCommands): void {
  const { maxArgumentDepth } = releaseOf(apiVersion);
  if (maxArgumentDepth === undefined) return;
  const commands = request.commands.flatMap((command) => Object.values(command));
  for (const { createArguments, choiceArgument, contractKey } of [
    ...commands,
    ...(request.prefetchContractKeys ?? []),
  ] as Partial<Record<'createArguments' | 'choiceArgument' | 'contractKey', unknown>>[])
    for (const argument of [createArguments, choiceArgument, contractKey])
      if (isDeeper(argument, maxArgumentDepth))
        throw refusedByJsonLayer(
          `JSON nesting exceeds the maximum allowed depth of ${maxArgumentDepth}`,
        );
}

/** Each scalar adds a level. */
function isDeeper(json: unknown, depth: number): boolean {
  if (depth === 0) return true;
  return (
    json !== null &&
    typeof json === 'object' &&
    Object.values(json).some((each) => isDeeper(each, depth - 1))
  );
}

/** The default limit is 1. Canton reads negative limits as large ones. */
function readPrefetched(
  packages: PackageLookup,
  { templateId, contractKey, limit }: PrefetchContractKey,
  rules: ValueRules | undefined,
): LedgerError | undefined {
  const refusal = readPrefetchKey(packages, templateId, contractKey, rules);
  if (refusal && !isPreprocessing(refusal)) return refusal;
  return limit === 0 ? invalidArgument('limit must be a positive integer, but got 0') : refusal;
}

/** Runs a step, and stores its error for later. */
function attempt<T>(read: () => T): { value?: T; error?: LedgerError } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof LedgerError) return { error };
    throw error;
  }
}

function decode(
  packages: PackageLookup,
  command: Command,
  rules: ValueRules | undefined,
): DecodedCommand {
  if ('CreateCommand' in command) {
    const { templateId, createArguments } = command.CreateCommand;
    return decodeCreate(packages, templateId, createArguments, rules);
  }
  if ('ExerciseCommand' in command) {
    const { templateId, contractId, choice, choiceArgument } = command.ExerciseCommand;
    return decodeExercise(packages, templateId, contractId, choice, choiceArgument, rules);
  }
  if ('CreateAndExerciseCommand' in command) {
    const { templateId, createArguments, choice, choiceArgument } =
      command.CreateAndExerciseCommand;
    return decodeCreateAndExercise(
      packages,
      templateId,
      createArguments,
      choice,
      choiceArgument,
      rules,
    );
  }
  const { templateId, contractKey, choice, choiceArgument } = command.ExerciseByKeyCommand;
  return decodeExerciseByKey(packages, templateId, contractKey, choice, choiceArgument, rules);
}

/** B-DSC-002 to B-DSC-004. */
function readDisclosed(
  packages: PackageLookup,
  disclosed: DisclosedContract,
): EngineDisclosedContract {
  const { createdEventBlob, templateId, contractId, synchronizerId } = disclosed;
  if (createdEventBlob === '') throw missingField('DisclosedContract.createdEventBlob');
  if (templateId) requirePackageId(parseTypeReference(templateId));
  const idError = contractId ? contractIdError(contractId) : undefined;
  if (idError !== undefined) throw invalidField('DisclosedContract.contract_id', idError);
  if (synchronizerId) validateSynchronizerId(synchronizerId, 'DisclosedContract.synchronizer_id');
  const { contract, error } = readBlob(packages, createdEventBlob, (head) => {
    if (contractId && contractId !== head.contractId)
      throw invalidArgument(
        `Mismatch between DisclosedContract.contract_id (${contractId}) and contract_id from decoded DisclosedContract.created_event_blob (${head.contractId})`,
      );
    if (templateId && templateId !== head.templateId)
      throw invalidArgument(
        `Mismatch between DisclosedContract.template_id (${templateId}) and template_id from decoded DisclosedContract.created_event_blob (${head.templateId})`,
      );
  });
  return { contract, synchronizerId: synchronizerId || undefined, error };
}

/** A disclosed contract names a package id, not a package name (B-DSC-014). */
function requirePackageId({ packageReference }: TypeReference): void {
  const error = packageIdError(packageReference);
  if (error !== undefined) throw invalidField('package_id', error);
}

function repeatedDisclosure(
  disclosed: readonly EngineDisclosedContract[],
): LedgerError | undefined {
  const ids = disclosed.map(({ contract }) => contract.contractId);
  const repeated = ids.find((id, index) => ids.indexOf(id) < index);
  return repeated === undefined
    ? undefined
    : invalidArgument(`Disclosed contracts contain duplicate contract id (${repeated})`);
}

/** Different contents with one id: at most one of them is authentic (B-DSC-005). */
function conflictingDisclosures(
  disclosed: readonly EngineDisclosedContract[],
): LedgerError | undefined {
  const seen = new Map<string, EngineDisclosedContract>();
  for (const each of disclosed) {
    const { contractId } = each.contract;
    const before = seen.get(contractId);
    if (before !== undefined && before.error?.message !== each.error?.message)
      return ledgerError(
        'DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS',
        `The disclosed contracts contain conflicting payloads for contract ${contractId}`,
      );
    seen.set(contractId, each);
  }
  return undefined;
}

export function readDeduplicationPeriod(
  period: DeduplicationPeriod | undefined,
): EngineDeduplicationPeriod | undefined {
  if (!period || 'Empty' in period) return undefined;
  if ('DeduplicationOffset' in period)
    return { kind: 'offset', offset: period.DeduplicationOffset.value };
  const duration = period.DeduplicationDuration.value;
  const isFiner = (duration.nanos ?? 0) % 1000 !== 0;
  return { kind: 'duration', microseconds: toMicroseconds(duration), isFiner };
}

export function toMicroseconds({ seconds, nanos }: Duration): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(Math.floor((nanos ?? 0) / 1000));
}

/** @param text a time that its schema accepted; Daml's bounds are unchecked */
export function readTime(text: string | undefined): bigint | undefined {
  return text ? parseInstant(text) : undefined;
}

export function toReassignment(
  context: LedgerContext,
  request: ReassignmentCommands,
): ReassignmentSubmission {
  // Commands after an unreadable one are not checked.
  const commands: EngineReassignmentCommand[] = [];
  const { error } = attempt(() => {
    for (const each of request.commands) commands.push(readReassignmentCommand(each));
  });
  return {
    submitter: request.submitter,
    commandId: request.commandId,
    userId: request.userId!,
    workflowId: request.workflowId,
    submissionId: request.submissionId,
    commands,
    commandError: error,
    traceContext: context.trace,
  };
}

function readReassignmentCommand({
  command,
}: ReassignmentCommands['commands'][number]): EngineReassignmentCommand {
  if (command && 'UnassignCommand' in command) {
    const { contractId, source, target } = command.UnassignCommand.value;
    return { kind: 'unassign', contractId, source, target };
  }
  if (command && 'AssignCommand' in command) {
    const { reassignmentId, source, target } = command.AssignCommand.value;
    return { kind: 'assign', reassignmentId, source, target };
  }
  throw missingField('command');
}
