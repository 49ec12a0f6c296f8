/**
 * Describes as data how a participant reads the messages of the JSON Ledger API. It lists objects with default members,
 * texts with a special format, and required members that the official document calls optional. Facts B-GEN-015 …
 * B-GEN-025.
 */
import { instantError } from '../../daml/codec/java-time.js';
import type { ReadingRules, TextKind } from '../reading.js';

const bytes: TextKind = { kind: 'bytes' };
const identifier: TextKind = { kind: 'identifier' };
const timestamp: TextKind = { kind: 'timestamp', error: instantError };
const oneOf = (prefix: string, ...names: string[]): TextKind => ({
  kind: 'enum',
  values: names.map((name) => prefix + name),
});

const keyFormat = oneOf(
  'CRYPTO_KEY_FORMAT_',
  'UNSPECIFIED',
  'DER',
  'RAW',
  'DER_X509_SUBJECT_PUBLIC_KEY_INFO',
);
const keySpec = oneOf(
  'SIGNING_KEY_SPEC_',
  'UNSPECIFIED',
  'EC_CURVE25519',
  'EC_P256',
  'EC_P384',
  'EC_SECP256K1',
);
const signatureFormat = oneOf(
  'SIGNATURE_FORMAT_',
  'UNSPECIFIED',
  'RAW',
  'DER',
  'CONCAT',
  'SYMBOLIC',
);
const signingAlgorithm = oneOf(
  'SIGNING_ALGORITHM_SPEC_',
  'UNSPECIFIED',
  'ED25519',
  'EC_DSA_SHA_256',
  'EC_DSA_SHA_384',
);

const TEXT_KINDS: Readonly<Record<string, TextKind>> = {
  'CreateCommand.templateId': identifier,
  'ExerciseCommand.templateId': identifier,
  'ExerciseByKeyCommand.templateId': identifier,
  'CreateAndExerciseCommand.templateId': identifier,
  'DisclosedContract.templateId': identifier,
  'DisclosedContract.createdEventBlob': bytes,
  'PrefetchContractKey.templateId': identifier,
  'InterfaceFilter1.interfaceId': identifier,
  'TemplateFilter1.templateId': identifier,
  'JsCommands.minLedgerTimeAbs': timestamp,
  'JsPrepareSubmissionRequest.maxRecordTime': timestamp,
  'MinLedgerTimeAbs.value': timestamp,
  'GetPreferredPackagesRequest.vettingValidAt': timestamp,
  'Vet1.newValidFromInclusive': timestamp,
  'Vet1.newValidUntilExclusive': timestamp,
  'JsExecuteSubmissionRequest.preparedTransaction': bytes,
  'JsExecuteSubmissionAndWaitRequest.preparedTransaction': bytes,
  'JsExecuteSubmissionAndWaitForTransactionRequest.preparedTransaction': bytes,
  'GetActiveContractsRequest.streamContinuationToken': bytes,
  'GetActiveContractsPageRequest.pageToken': bytes,
  'GetUpdatesPageRequest.pageToken': bytes,
  'GetUpdateByHashRequest.transactionHash': bytes,
  'GetCompletionByHashRequest.transactionHash': bytes,
  'SignedTransaction.transaction': bytes,
  'SigningPublicKey.keyData': bytes,
  'SigningPublicKey.format': keyFormat,
  'SigningPublicKey.keySpec': keySpec,
  'Signature.signature': bytes,
  'Signature.format': signatureFormat,
  'Signature.signingAlgorithmSpec': signingAlgorithm,
  'CostEstimationHints.expectedSignatures': signingAlgorithm,
};

/** Needed in practice, optional in the document (B-GEN-019, B-GEN-020). */
const ALSO_REQUIRED: Readonly<Record<string, readonly string[]>> = {
  JsPrepareSubmissionRequest: ['synchronizerId', 'packageIdSelectionPreference'],
  JsExecuteSubmissionRequest: ['deduplicationPeriod'],
  JsExecuteSubmissionAndWaitRequest: ['deduplicationPeriod'],
  JsExecuteSubmissionAndWaitForTransactionRequest: ['deduplicationPeriod'],
  CostEstimationHints: ['disabled', 'expectedSignatures'],
};

/** Members that are not messages, but may still be null (B-GEN-046). The last of them have no default (B-GEN-048). */
const OPTIONS = new Set([
  'AllocateExternalPartyRequest.waitForAllocation',
  'GetActiveContractsPageRequest.activeAtOffset',
  'GetActiveContractsPageRequest.maxPageSize',
  'GetActiveContractsPageRequest.pageToken',
  'GetActiveContractsRequest.streamContinuationToken',
  'GetActiveContractsRequest.verbose',
  'GetUpdatesPageRequest.beginOffsetExclusive',
  'GetUpdatesPageRequest.endOffsetInclusive',
  'GetUpdatesPageRequest.maxPageSize',
  'GetUpdatesPageRequest.pageToken',
  'GetUpdatesRequest.endInclusive',
  'GetUpdatesRequest.verbose',
  'GetUpdatesRequest.descendingOrder',
  'JsPrepareSubmissionRequest.maxRecordTime',
  'PrefetchContractKey.limit',
]);

/** Messages whose classes have handwritten readers, although their names do not begin with Js. */
const WRITTEN_BY_HAND = new Set([
  'CreateCommand',
  'ExerciseCommand',
  'ExerciseByKeyCommand',
  'CreateAndExerciseCommand',
  'PrefetchContractKey',
  'CostEstimationHints',
]);

/** An unset `oneof`: its reader has no members, and keeps the path. */
const UNSET = /^Empty\d*$/;

/** Base messages of protobuf: each member has a default, and a fault inside keeps its whole path. */
const DEFAULTED = new Set(['Duration', 'FieldMask', 'UnknownFieldSet', 'Field']);

export const ledgerReading: ReadingRules = {
  accumulates: true,
  objectsOnly: false,
  codecOf: (name) => {
    if (WRITTEN_BY_HAND.has(name) || name.startsWith('Js')) return 'strict';
    if (DEFAULTED.has(name) || UNSET.test(name)) return 'defaulted';
    return name === 'NoPrior' ? 'unit' : 'relaxed';
  },
  textKindOf: (message, member) => {
    const key = `${message}.${member}`;
    return Object.hasOwn(TEXT_KINDS, key) ? TEXT_KINDS[key] : undefined;
  },
  timeError: instantError,
  alsoRequired: (name) => (Object.hasOwn(ALSO_REQUIRED, name) ? (ALSO_REQUIRED[name] ?? []) : []),
  isOption: (message, member) => OPTIONS.has(`${message}.${member}`),
};
