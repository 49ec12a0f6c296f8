/**
 * The status of recent commands: `CommandInspectionService`, which only gRPC has.
 * NOTE: of large rejected commands, only the data of their completions is stored. Steps take no time here.
 */
import { ledgerStringError } from '../../daml/model/identifiers.js';
import { commandMessage } from '../../daml/codec/json/command-message.js';
import { template as templateOf } from '../../daml/model/package.js';
import { formatInstant } from '../../daml/model/time.js';
import type { ContractInstance, TransactionNode } from '../../daml/model/transaction.js';
import { packageIdOf, qualifiedNameOf } from '../../daml/model/types.js';
import { MAX_RECENT, type RecentCommand } from '../../network/administration/recent-commands.js';
import type { Participant } from '../../network/participant.js';
import type { Completion, LogEntry } from '../../network/model/updates.js';
import { invalidField } from '../../network/model/request-errors.js';
import { statisticsOfTransaction } from '../../network/traffic/update-cost.js';
import type { ValueForm, ValueWriter } from '../value-form.js';
import type { LedgerContext } from '../handler.js';
import type { Unlisted } from './unlisted.js';
import { releaseOf } from '../../spec/versions.js';
import { ADMIN } from '../authorization/requirements.js';
import { renderCompletion } from './commands/commands.js';

interface StatusRequest {
  readonly commandIdPrefix: string;
  readonly state: string;
  readonly limit: number;
}

type Status = Readonly<Record<string, unknown>> & { readonly state: string };

export const getCommandStatus: Unlisted<StatusRequest, { commandStatus: readonly Status[] }> = {
  requires: () => [ADMIN],
  handle: (context, { commandIdPrefix: prefix, state, limit }) => {
    const error = prefix === '' ? undefined : ledgerStringError(prefix);
    if (error !== undefined) throw invalidField('command_id_prefix', error);
    const isRequested = (of: string): boolean => !STATES.includes(state) || state === of;
    const found = STATES.flatMap((each) => (isRequested(each) ? statusesOf(context, each) : []));
    const matching = found.filter(({ commandId }) => commandId.startsWith(prefix));
    return { commandStatus: matching.slice(0, limit).map(({ status }) => status()) };
  },
};

const [FAILED, PENDING, SUCCEEDED] = [
  'COMMAND_STATE_FAILED',
  'COMMAND_STATE_PENDING',
  'COMMAND_STATE_SUCCEEDED',
] as const;
/** In the order of the answer. */
const STATES: readonly string[] = [FAILED, PENDING, SUCCEEDED];

interface Found {
  readonly commandId: string;
  readonly status: () => Status;
}

function statusesOf(context: LedgerContext, state: string): readonly Found[] {
  if (state === PENDING) return pending(context);
  const { participant, apiVersion } = context;
  const { hidesExecutions } = releaseOf(apiVersion);
  const found: Found[] = [];
  const { log } = participant;
  for (const entry of log.backwards()) {
    const { completion } = entry;
    if (completion === undefined || (completion.error === undefined) !== (state === SUCCEEDED))
      continue;
    if (hidesExecutions && completion.externalTransactionHash !== undefined) continue;
    const status = () => settled(context, entry, completion, state);
    found.push({ commandId: completion.commandId, status });
    if (found.length === MAX_RECENT) break;
  }
  return found;
}

function settled(
  { participant, values }: LedgerContext,
  { update }: LogEntry,
  completion: Completion,
  state: string,
): Status {
  const at = formatInstant(completion.recordTime);
  const recent = participant.recentCommands.at(completion.offset, completion.submissionId);
  const nodes = update?.kind === 'transaction' ? update.transaction.nodes : (recent?.nodes ?? []);
  const { commandId, status, userId, submissionId, traceContext } = renderCompletion(
    participant,
    completion,
  );
  // A command that is rejected before it is sent stops at the first step.
  const { error } = completion;
  const steps =
    error === undefined || error.row.verdictOf !== undefined ? STEPS : STEPS.slice(0, 1);
  return {
    started: at,
    completed: at,
    completion: { commandId, status, userId, submissionId, traceContext },
    state,
    ...(recent && {
      commands: commandsOf(participant, values, recent),
      requestStatistics: recent.isSent ? statisticsOf(participant, completion, recent) : {},
    }),
    updates: impactOf(participant, values.writer(false), nodes),
    timings: steps.map((description) => ({ description, durationMs: 0 })),
  };
}

/** As submitted, except for field names that the client omitted. */
function commandsOf(
  { packages }: Participant,
  { requestWriter }: ValueForm,
  { commands, named }: RecentCommand,
): readonly object[] {
  return commands.map((command, index) => {
    const { templateId } = command;
    const name = packages.package(packageIdOf(templateId))?.name;
    const isNamed = named?.[index] === true && name !== undefined;
    const reference = isNamed ? `#${name}:${qualifiedNameOf(templateId)}` : templateId;
    return commandMessage(packages, requestWriter, command, reference);
  });
}

function statisticsOf(
  participant: Participant,
  completion: Completion,
  { nodes, workflowId }: RecentCommand,
): object {
  const { synchronizerId, deduplicationPeriod = { kind: 'offset', offset: 0 } } = completion;
  const metadata = {
    ...completion,
    participantId: participant.id,
    workflowId,
    deduplicationPeriod,
  } as const;
  return statisticsOfTransaction(participant, synchronizerId, { nodes }, metadata);
}

/** The steps of a command through a participant, with its names. */
const STEPS = [
  '1a_interpretation',
  '1b_request-generation',
  '2a_sequencing',
  '2b_validation-queue',
  '3_validation-conformance',
  '4_validation-conflict',
  '6_mediator-verdict',
  '7a_recordordering',
  '7b_indexing',
];

/** NOTE: the start time of a pending command is not stored; the answer has the current time. */
function pending({ participant, network }: LedgerContext): readonly Found[] {
  const { ledger } = participant;
  const own = network.synchronizers
    .flatMap(({ id }) => ledger.inFlight.on(id))
    .filter((each) => each.participant === participant);
  return own.map(({ info, synchronizerId }) => ({
    commandId: info.commandId,
    status: () => ({
      started: formatInstant(ledger.clock.now()),
      completion: {
        commandId: info.commandId,
        userId: info.userId,
        actAs: [...info.actAs],
        submissionId: info.submissionId,
      },
      state: PENDING,
      synchronizerId,
    }),
  }));
}

/** Without nodes that were rolled back. */
function impactOf(
  participant: Participant,
  writer: ValueWriter,
  nodes: readonly TransactionNode[],
) {
  const factsOf = ({ contractId, templateId, key }: ContractInstance) => ({
    templateId,
    contractId,
    contractKey:
      key &&
      writer.value(
        participant.packages,
        templateOf(participant.packages, templateId)!.key!.type,
        key.value,
      ),
  });
  const created: object[] = [];
  const archived: object[] = [];
  const count = { exercised: 0, fetched: 0, lookedUpByKey: 0 };
  for (const node of nodes)
    if (node.kind === 'create') created.push(factsOf(node.contract));
    else if (node.kind === 'fetch') count.fetched += 1;
    else if (node.kind === 'queryByKey') count.lookedUpByKey += 1;
    else if (node.kind === 'exercise') {
      count.exercised += 1;
      if (node.consuming) archived.push(factsOf(node.contract));
    }
  return { created, archived, ...count };
}
