/** The operations of Canticle's controls, which cover the whole in-process API. */
import type { Content, JsonSchema, Method, OperationFacts, Parameter } from '../schema.js';
import { SUMMARIES } from './summaries.js';

const body = (name: string): Content => ({
  contentType: 'application/json',
  schema: { $ref: `#/components/schemas/${name}` },
});

/** One row. Every operation may answer 400, and operations that name an object may answer 404. */
function row(
  method: Method,
  path: string,
  operationId: string,
  parts: { answer: string; request?: string; parameters?: Parameter[]; refusals?: number[] },
): OperationFacts {
  const responses: Record<string, Content> = { 200: body(parts.answer) };
  for (const status of [400, ...(parts.refusals ?? [])]) responses[status] = body('ControlError');
  return {
    operationId,
    summary: SUMMARIES[operationId],
    method,
    path,
    ...(parts.parameters ? { parameters: parts.parameters } : {}),
    ...(parts.request ? { request: body(parts.request) } : {}),
    responses,
  };
}

/** Like {@link row}, with an answer that is not JSON. */
const answeredAs =
  (contentType: string, format?: string) =>
  ({ responses, ...rest }: OperationFacts): OperationFacts => {
    const content: Content = { contentType, schema: { type: 'string', ...(format && { format }) } };
    return { ...rest, responses: { ...responses, 200: content } };
  };
const asText = answeredAs('text/plain');
const asPicture = answeredAs('image/svg+xml');
const asBytes = answeredAs('application/octet-stream', 'binary');

const inPath = (name: string, schema: JsonSchema): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema,
});
const inQuery = (name: string, schema: JsonSchema): Parameter => ({ name, in: 'query', schema });
const integer: JsonSchema = { type: 'integer', format: 'int64' };
const text: JsonSchema = { type: 'string' };

export const operations: readonly OperationFacts[] = [
  row('post', '/v1/snapshots', 'createSnapshot', { answer: 'Snapshot' }),
  row('post', '/v1/snapshots/{snapshotId}/revert', 'revertToSnapshot', {
    answer: 'Restored',
    parameters: [inPath('snapshotId', text)],
    refusals: [404],
  }),
  row('post', '/v1/reset', 'resetNetwork', { answer: 'Restored' }),
  asBytes(
    row('get', '/v1/world', 'getWorld', {
      answer: 'ControlError',
      parameters: [
        inQuery('packages', { type: 'boolean' }),
        inQuery('format', { type: 'string', enum: ['world', 'acs'] }),
        inQuery('participant', text),
        inQuery('parties', text),
      ],
    }),
  ),
  row('get', '/v1/time', 'getTime', { answer: 'Time' }),
  row('put', '/v1/time', 'setTime', { answer: 'Time', request: 'SetTimeRequest' }),
  row('post', '/v1/time/advance', 'advanceTime', {
    answer: 'Time',
    request: 'AdvanceTimeRequest',
  }),
  row('post', '/v1/synchronizers/{synchronizer}/pause', 'pauseSynchronizer', {
    answer: 'SynchronizerState',
    parameters: [inPath('synchronizer', text)],
    refusals: [404],
  }),
  row('post', '/v1/synchronizers/{synchronizer}/resume', 'resumeSynchronizer', {
    answer: 'SynchronizerState',
    parameters: [inPath('synchronizer', text)],
    refusals: [404],
  }),
  row('get', '/v1/automation', 'getAutomation', { answer: 'Automation' }),
  row('put', '/v1/automation', 'setAutomation', {
    answer: 'Automation',
    request: 'SetAutomationRequest',
  }),
  ...(['pause', 'resume'] as const).map((action) =>
    row('post', `/v1/automation/{task}/${action}`, `${action}Task`, {
      answer: 'AutomationTask',
      parameters: [inPath('task', text)],
      refusals: [404],
    }),
  ),
  row('post', '/v1/automation/{task}/run', 'runTask', {
    answer: 'AutomationRun',
    parameters: [inPath('task', text)],
    refusals: [404],
  }),
  ...(['disconnect', 'reconnect'] as const).map((action) =>
    row('post', `/v1/participants/{participant}/${action}`, `${action}Participant`, {
      answer: 'ParticipantState',
      request: 'ConnectionRequest',
      parameters: [inPath('participant', text)],
      refusals: [400, 404],
    }),
  ),
  row('post', '/v1/participants/{participant}/restart', 'restartParticipant', {
    answer: 'ParticipantState',
    parameters: [inPath('participant', text)],
    refusals: [404],
  }),
  row('post', '/v1/participants/{participant}/prune', 'pruneParticipant', {
    answer: 'Pruned',
    request: 'PruneRequest',
    parameters: [inPath('participant', text)],
    refusals: [404],
  }),
  row('put', '/v1/migration/schedule', 'scheduleMigration', {
    answer: 'MigrationSchedule',
    request: 'MigrationSchedule',
  }),
  row('get', '/v1/migration', 'getMigration', { answer: 'MigrationState' }),
  row('delete', '/v1/migration/schedule', 'clearMigrationSchedule', { answer: 'Migration' }),
  row('post', '/v1/migration/carry-out', 'carryOutMigration', {
    answer: 'Migration',
  }),
  row('put', '/v1/reward-rounds/{round}', 'setRewardRound', {
    answer: 'RewardRound',
    request: 'RewardRound',
    parameters: [inPath('round', integer)],
  }),
  row('get', '/v1/requests', 'listRequests', {
    answer: 'RequestJournal',
    parameters: [
      inQuery('api', { $ref: '#/components/schemas/ApiName' }),
      inQuery('operation', text),
      inQuery('outcome', { $ref: '#/components/schemas/Outcome' }),
      inQuery('since', integer),
    ],
  }),
  row('delete', '/v1/requests', 'clearRequests', { answer: 'Cleared' }),
  row('get', '/v1/requests/{requestId}/explanation', 'explainRequest', {
    answer: 'ExplanationOfRequest',
    parameters: [inPath('requestId', text)],
    refusals: [404],
  }),
  asText(
    row('get', '/v1/requests/{requestId}/explanation/text', 'explainRequestAsText', {
      answer: 'ExplanationOfRequest',
      parameters: [inPath('requestId', text)],
      refusals: [404],
    }),
  ),
  row('get', '/v1/requests/{requestId}/trace', 'traceRequest', {
    answer: 'Trace',
    parameters: [inPath('requestId', text)],
    refusals: [404],
  }),
  row('get', '/v1/requests/{requestId}/profile', 'profileRequest', {
    answer: 'StepProfile',
    parameters: [inPath('requestId', text)],
    refusals: [404],
  }),
  row('get', '/v1/traces/{updateId}/profile', 'getProfile', {
    answer: 'StepProfile',
    parameters: [inPath('updateId', text)],
    refusals: [404],
  }),
  row('get', '/v1/traces', 'findTrace', {
    answer: 'Trace',
    parameters: [
      inQuery('commandId', text),
      inQuery('submissionId', text),
      inQuery('participant', text),
    ],
    refusals: [404],
  }),
  row('post', '/v1/traces/prepared', 'tracePrepared', {
    answer: 'Trace',
    request: 'TracePreparedRequest',
    refusals: [404],
  }),
  row('get', '/v1/traces/{updateId}', 'getTrace', {
    answer: 'Trace',
    parameters: [inPath('updateId', text)],
    refusals: [404],
  }),
  row('post', '/v1/submit', 'submit', {
    answer: 'Submitted',
    request: 'StepToSimulate',
    refusals: [404],
  }),
  row('post', '/v1/simulate', 'simulate', {
    answer: 'Simulation',
    request: 'SimulateRequest',
    refusals: [404],
  }),
  row('get', '/v1/inspection/updates', 'inspectUpdates', {
    answer: 'InspectedUpdates',
    parameters: [
      inQuery('before', text),
      inQuery('limit', integer),
      inQuery('party', text),
      inQuery('participant', text),
      inQuery('synchronizer', text),
    ],
    refusals: [404],
  }),
  row('get', '/v1/inspection/contracts', 'inspectContracts', {
    answer: 'InspectedContracts',
    parameters: [
      inQuery('at', text),
      inQuery('offset', integer),
      inQuery('after', text),
      inQuery('limit', integer),
      inQuery('archived', { type: 'boolean' }),
      inQuery('newest', { type: 'boolean' }),
      inQuery('template', text),
      inQuery('interface', text),
      inQuery('party', text),
      inQuery('participant', text),
      inQuery('synchronizer', text),
    ],
    refusals: [404],
  }),
  row('get', '/v1/inspection/contracts/{contractId}', 'inspectContract', {
    answer: 'ContractLife',
    parameters: [inPath('contractId', text)],
    refusals: [404],
  }),
  row('get', '/v1/inspection/changes', 'inspectChanges', {
    answer: 'InspectedChanges',
    parameters: [inQuery('after', text), inQuery('wait', integer)],
  }),
  row('get', '/v1/inspection/access', 'inspectAccess', {
    answer: 'ClientAccess',
    parameters: [inQuery('participant', text), inQuery('actAs', text), inQuery('readAs', text)],
    refusals: [404],
  }),
  row('get', '/v1/inspection/topology', 'inspectTopology', { answer: 'InspectedTopology' }),
  row('get', '/v1/inspection/packages', 'inspectPackages', { answer: 'InspectedPackages' }),
  row('get', '/v1/inspection/packages/{packageId}', 'inspectPackage', {
    answer: 'InspectedPackage',
    parameters: [inPath('packageId', text)],
    refusals: [404],
  }),
  row('get', '/v1/inspection/packages/{packageId}/sources/{module}', 'inspectSource', {
    answer: 'InspectedSource',
    parameters: [inPath('packageId', text), inPath('module', text)],
    refusals: [404],
  }),
  row('post', '/v1/coverage', 'startCoverage', { answer: 'CoverageState' }),
  row('get', '/v1/coverage', 'getCoverage', {
    answer: 'Coverage',
    parameters: [inQuery('packages', text)],
    refusals: [409],
  }),
  asText(
    row('get', '/v1/coverage/text', 'getCoverageAsText', {
      answer: 'Coverage',
      parameters: [inQuery('packages', text)],
      refusals: [409],
    }),
  ),
  asPicture(
    row('get', '/v1/pictures', 'getPicture', {
      answer: 'ControlError',
      parameters: [
        inQuery('of', text),
        inQuery('updateId', text),
        inQuery('requestId', text),
        inQuery('commandId', text),
        inQuery('submissionId', text),
        inQuery('participant', text),
        inQuery('packages', text),
      ],
      refusals: [404, 409],
    }),
  ),
  row('delete', '/v1/coverage', 'stopCoverage', { answer: 'CoverageState' }),
  row('post', '/v1/sql', 'querySql', {
    answer: 'SqlAnswer',
    request: 'SqlQuery',
    refusals: [404],
  }),
  row('get', '/v1/faults', 'listFaults', { answer: 'Faults' }),
  row('post', '/v1/faults', 'addFault', { answer: 'Fault', request: 'FaultRule' }),
  row('delete', '/v1/faults', 'clearFaults', { answer: 'Cleared' }),
  row('post', '/v1/faults/release', 'releaseFaults', { answer: 'Released' }),
  row('post', '/v1/faults/step', 'stepFaults', { answer: 'Released' }),
  row('delete', '/v1/faults/{fault}', 'removeFault', {
    answer: 'Fault',
    parameters: [inPath('fault', text)],
    refusals: [404],
  }),
  row('post', '/v1/faults/{fault}/release', 'releaseFault', {
    answer: 'Released',
    parameters: [inPath('fault', text)],
    refusals: [404],
  }),
  row('get', '/v1/wallet', 'getWallet', { answer: 'Wallet', refusals: [404] }),
  row('post', '/v1/wallet', 'setWallet', {
    answer: 'Wallet',
    request: 'SetWalletRequest',
    refusals: [404, 409],
  }),
  row('post', '/v1/wallet/connect', 'connectWallet', {
    answer: 'WalletSession',
    refusals: [404, 409],
  }),
  row('post', '/v1/wallet/disconnect', 'disconnectWallet', {
    answer: 'Wallet',
    request: 'DisconnectWalletRequest',
    refusals: [404],
  }),
  row('post', '/v1/wallet/approve', 'approveWalletRequest', {
    answer: 'DecidedRequest',
    request: 'ApproveWalletRequest',
    refusals: [404, 409],
  }),
  row('post', '/v1/wallet/reject', 'rejectWalletRequest', {
    answer: 'DecidedRequest',
    request: 'RejectWalletRequest',
    refusals: [404, 409],
  }),
];
