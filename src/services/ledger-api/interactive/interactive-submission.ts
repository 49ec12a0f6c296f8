/** Interactive submission: prepares transactions, which the client signs, and executes them with the signatures. */
import { lazy } from '../../../daml/errors/lazy.js';
import {
  checkLedgerString,
  checkUserId,
  partyError,
  uniqueIdentifierError,
} from '../../../daml/model/identifiers.js';
import { loggedIn, QUOTED } from '../../../daml/errors/logging-context.js';
import { formatInstant, isTimestamp } from '../../../daml/model/time.js';
import { SIGNATURE_ALGORITHM, type Signature } from '../../../network/topology/party-keys.js';
import { ledgerTime } from '../../../network/commands/ledger-time.js';
import { synchronizerIdError } from '../../../network/model/ids.js';
import type { ExecutionRequest } from '../../../network/external/execution.js';
import { validateDeduplication } from '../../../network/model/deduplication-period.js';
import { checkLedgerTime } from '../../../network/submission/submission.js';
import type { HashingVersion } from '../../../network/model/protocol.js';
import { correlated } from '../../../network/ledger/submission-info.js';
import type { ProtoPrepared } from '../../../network/external/prepared/messages.js';
import {
  invalidArgument,
  invalidField,
  missingField,
} from '../../../network/model/request-errors.js';
import type {
  CostEstimationHints,
  JsExecuteSubmissionRequest,
  MinLedgerTime,
  PartySignatures,
} from '../../../spec/generated/ledger.js';
import type { LedgerContext, SomeHandlers } from '../../handler.js';
import { readTransaction } from '../commands/commands.js';
import { base64, fromBase64, readAlgorithm, readSignature } from '../formats/crypto-messages.js';
import { checkTransactionFormat } from '../formats/formats.js';
import {
  readDeduplicationPeriod,
  readTime,
  toMicroseconds,
  toSubmission,
} from '../commands/translate.js';
import { submitAndRead, updateAndOffset } from '../commands/submit-and-read.js';
import type * as Execution from '../../../network/external/execution.js';
import type * as Onboarding from '../../../network/external/onboarding.js';
import type * as Preparation from '../../../network/external/preparation.js';
import type * as Recent from '../../../network/external/prepared/recently-prepared.js';

const execution = lazy(() => require('../../../network/external/execution.js') as typeof Execution);
const onboarding = lazy(
  () => require('../../../network/external/onboarding.js') as typeof Onboarding,
);
const preparation = lazy(
  () => require('../../../network/external/preparation.js') as typeof Preparation,
);
const recent = lazy(
  () => require('../../../network/external/prepared/recently-prepared.js') as typeof Recent,
);

type Cost = NonNullable<ReturnType<typeof Preparation.prepareTransaction>['cost']>;
type Move = Cost['moves'][number];

const NO_DETAILS =
  'Verbose hashing is disabled on this participant. Contact the node administrator for more details.';

export const interactiveSubmission = {
  'postV2Interactive-submissionPrepare': (context, { body }) => {
    const { verboseHashing = false, estimateTrafficCost } = body;
    const explainsHash = verboseHashing && context.enableVerboseHashing;
    const submission = toSubmission(context, body, minLedgerTimeOf(body.minLedgerTime), true);
    const scheme = body.hashingSchemeVersion ?? 'HASHING_SCHEME_VERSION_V2';
    const answer = preparation().prepareTransaction(context.participant, submission, () => ({
      maxRecordTime: readMaxRecordTime(body.maxRecordTime),
      costHints: costHintsOf(estimateTrafficCost),
      hashingVersion: readHashingVersion(scheme),
      explainsHash,
    }));
    const { text, hash, hashingDetails, cost } = answer;
    return {
      preparedTransaction: text,
      preparedTransactionHash: base64(hash),
      hashingSchemeVersion: scheme,
      hashingDetails: hashingDetails ?? (verboseHashing ? NO_DETAILS : undefined),
      costEstimation: cost && renderCost(cost),
    };
  },

  'postV2Interactive-submissionExecute': (context, { body }) => {
    execution().executePrepared(context.participant, toExecution(context, body, false));
    return {};
  },

  'postV2Interactive-submissionExecuteandwait': (context, { body }) => {
    const request = toExecution(context, body);
    const execute = () => execution().executePrepared(context.participant, request);
    return submitAndRead(context, execute, updateAndOffset);
  },

  'postV2Interactive-submissionExecuteandwaitfortransaction': (context, { body }) => {
    const { participant } = context;
    const request = toExecution(context, body);
    const { actAs = [] } = request.prepared.metadata?.submitterInfo ?? {};
    return submitAndRead(
      context,
      () => execution().executePrepared(participant, request),
      (update, offset) => {
        // The format is not checked before it is used.
        const checked =
          body.transactionFormat && checkTransactionFormat(context, body.transactionFormat);
        return { transaction: readTransaction(context, update, offset, checked, actAs) };
      },
    );
  },
} satisfies SomeHandlers<'ledger'>;

function toExecution(
  context: LedgerContext,
  body: JsExecuteSubmissionRequest,
  isAwaited = true,
): ExecutionRequest {
  const prepared = context.prepared ?? decodePrepared(body.preparedTransaction);
  const read = () => readExecution(context, body, prepared, isAwaited);
  return body.submissionId
    ? correlated(context.network, body.submissionId, read)
    : loggedIn(QUOTED, read);
}

function readMaxRecordTime(text: string | undefined): bigint | undefined {
  const time = readTime(text);
  if (time === undefined || isTimestamp(time)) return time;
  const seconds = (time - (((time % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n;
  const nanos = (time - seconds * 1_000_000n) * 1000n;
  throw invalidArgument(
    `Can not represent ledger time Timestamp(${seconds},${nanos},UnknownFieldSet(Map())) as a Daml timestamp`,
  );
}

/** In the order of Canton's validation. */
function readExecution(
  context: LedgerContext,
  body: JsExecuteSubmissionRequest,
  prepared: ProtoPrepared,
  isAwaited: boolean,
): ExecutionRequest {
  if (body.submissionId) checkLedgerString(body.submissionId, 'submission_id');
  const { userId = '' } = body;
  checkUserId(userId, 'user_id');
  const deduplicationPeriod = readDeduplicationPeriod(body.deduplicationPeriod);
  validateDeduplication(deduplicationPeriod);
  const signatures = signaturesByParty(body.partySignatures);
  const hashingVersion = readHashingVersion(body.hashingSchemeVersion);
  const { metadata } = prepared;
  if (metadata === undefined) throw missingField('synchronizer_id');
  const { protocolVersions } = context.participant;
  const synchronizerError = synchronizerIdError(metadata.synchronizerId, protocolVersions);
  if (synchronizerError !== undefined)
    throw invalidField(
      'synchronizer_id',
      `Unable to convert field \`synchronizer_id\`: ${synchronizerError}`,
    );
  const { minLedgerTimeAbs: from, minLedgerTimeRel: after } = minLedgerTimeOf(body.minLedgerTime);
  const minimum = {
    minLedgerTimeAbs: readTime(from),
    minLedgerTimeRel: after && toMicroseconds(after),
  };
  const wantedTime = ledgerTime(minimum, context.network.clock.now());
  checkLedgerTime(wantedTime);
  return {
    prepared,
    signatures,
    hashingVersion,
    submissionId: body.submissionId,
    userId,
    deduplicationPeriod,
    wantedTime,
    traceContext: context.trace,
    isAwaited,
  };
}

/** @throws ProtobufError, but only for JSON: over gRPC, such a request cannot be decoded */
export function decodePrepared(text: string): ProtoPrepared {
  return recent().readPrepared(text, fromBase64);
}

/** Merges the entries of a party, and counts a repeated signature once. */
function signaturesByParty({
  signatures,
}: PartySignatures): ReadonlyMap<string, readonly Signature[]> {
  const byParty = new Map<string, readonly Signature[]>();
  for (const { party, signatures: given } of signatures) {
    const error = partyError(party) ?? uniqueIdentifierError(party);
    if (error !== undefined) throw invalidField('SinglePartySignatures.party', error);
    const read = given.map(readSignature);
    for (const each of read)
      onboarding().checkSignatureForm(each, 'SinglePartySignatures.signature');
    const before = byParty.get(party);
    byParty.set(party, before === undefined ? read : distinct([...read, ...before]));
  }
  return byParty;
}

function distinct(signatures: readonly Signature[]): readonly Signature[] {
  return [
    ...new Map(
      signatures.map((each) => [
        JSON.stringify({ ...each, signature: base64(each.signature) }),
        each,
      ]),
    ).values(),
  ];
}

function readHashingVersion(name: string): HashingVersion {
  if (name === 'HASHING_SCHEME_VERSION_V2') return 2;
  if (name === 'HASHING_SCHEME_VERSION_V3') return 3;
  if (name === 'HASHING_SCHEME_VERSION_V4') return 4;
  const isNumber = /^\d+$/.test(String(name));
  throw invalidField(
    'hashing_scheme_version',
    isNumber ? `Unrecognized version ${name}` : 'Unspecified version',
  );
}

function minLedgerTimeOf(
  time: MinLedgerTime | undefined,
): NonNullable<Parameters<typeof toSubmission>[2]> {
  const chosen = time?.time;
  if (chosen === undefined || 'Empty' in chosen) return {};
  if ('MinLedgerTimeAbs' in chosen) return { minLedgerTimeAbs: chosen.MinLedgerTimeAbs.value };
  return { minLedgerTimeRel: chosen.MinLedgerTimeRel.value };
}

function costHintsOf(hints: CostEstimationHints | undefined) {
  if (hints?.disabled) return undefined;
  return { expectedSignatures: (hints?.expectedSignatures ?? []).map(readExpected) };
}

function readExpected(name: string): number {
  const algorithm = readAlgorithm(name);
  if (!Object.values<number>(SIGNATURE_ALGORITHM).includes(algorithm))
    throw invalidField('estimate_traffic_cost', onboarding().unsupportedAlgorithm(algorithm));
  return algorithm;
}

/** Without the reassignments, unless the release estimates them. */
function renderCost({ estimatedAt, request, response, moves }: Cost) {
  const reassignmentCosts = moves.map(renderMove);
  const ofMoves = reassignmentCosts.map((each) => each.totalReassignmentCostEstimation);
  return {
    estimationTimestamp: formatInstant(estimatedAt),
    confirmationRequestTrafficCostEstimation: request,
    confirmationResponseTrafficCostEstimation: response,
    totalTrafficCostEstimation: ofMoves.reduce((sum, each) => sum + each, request + response),
    reassignmentCosts,
  };
}

const renderMove = ({ source, target, contractIds, unassignment, assignment }: Move) => ({
  sourceSynchronizerId: source,
  targetSynchronizerId: target,
  contractIds: [...contractIds],
  unassignmentRequestTrafficCostEstimation: unassignment.request,
  unassignmentResponseTrafficCostEstimation: unassignment.response,
  assignmentRequestTrafficCostEstimation: assignment.request,
  assignmentResponseTrafficCostEstimation: assignment.response,
  totalReassignmentCostEstimation:
    unassignment.request + unassignment.response + assignment.request + assignment.response,
});
