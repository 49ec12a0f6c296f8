/** The services of commands, updates, contracts and their state: which operation each method is. */
import { missingField } from '../../daml/model/identifiers.js';
import {
  commandCompletionStream,
  completionStream,
} from '../../services/ledger-api/commands/commands.js';
import { activeContractStream } from '../../services/ledger-api/state/state.js';
import { updateStream } from '../../services/ledger-api/updates/updates.js';
import type { JsCommands } from '../../spec/generated/ledger.js';
import { streaming, unary, type Service } from './method.js';

interface CommandsRequest {
  readonly commands?: JsCommands;
}

/** @throws LedgerError MISSING_FIELD */
function commandsOf({ commands }: CommandsRequest): JsCommands {
  if (commands === undefined) throw missingField('commands');
  return commands;
}

export const LEDGER_SERVICES: Readonly<Record<string, Service>> = {
  CommandService: {
    SubmitAndWait: unary('postV2CommandsSubmit-and-wait', {
      input: (request: CommandsRequest) => ({ body: commandsOf(request) }),
    }),
    SubmitAndWaitForTransaction: unary('postV2CommandsSubmit-and-wait-for-transaction', {
      input: (body) => {
        commandsOf(body);
        return { body };
      },
    }),
    SubmitAndWaitForReassignment: unary('postV2CommandsSubmit-and-wait-for-reassignment'),
  },
  CommandSubmissionService: {
    Submit: unary('postV2CommandsAsyncSubmit', {
      input: (request: CommandsRequest) => ({ body: commandsOf(request) }),
    }),
    SubmitReassignment: unary('postV2CommandsAsyncSubmit-reassignment'),
  },
  CommandCompletionService: {
    CompletionStream: streaming('postV2CommandsCompletions', completionStream),
    GetCompletions: streaming('postV2CommandsCommand-completions', commandCompletionStream),
  },
  UpdateService: {
    GetUpdates: streaming('postV2Updates', updateStream),
    GetUpdateByOffset: unary('postV2UpdatesUpdate-by-offset'),
    GetUpdateById: unary('postV2UpdatesUpdate-by-id'),
    GetUpdatesPage: unary('postV2UpdatesGet-updates-page'),
  },
  StateService: {
    GetActiveContracts: streaming('postV2StateActive-contracts', activeContractStream),
    GetActiveContractsPage: unary('postV2StateActive-contracts-page'),
    GetConnectedSynchronizers: unary('getV2StateConnected-synchronizers', {
      input: (query: { party: string; participantId: string; identityProviderId: string }) => ({
        query,
      }),
    }),
    GetLedgerEnd: unary('getV2StateLedger-end'),
    GetLatestPrunedOffsets: unary('getV2StateLatest-pruned-offsets'),
  },
  EventQueryService: {
    GetEventsByContractId: unary('postV2EventsEvents-by-contract-id'),
  },
  ContractService: {
    GetContract: unary('postV2ContractsContract-by-id'),
  },
  VersionService: {
    GetLedgerApiVersion: unary('getV2Version'),
  },
};
