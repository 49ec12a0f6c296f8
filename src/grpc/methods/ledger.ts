/** The services for commands, updates, contracts and their state: the operation of each method. */
import {
  commandCompletionStream,
  completionStream,
} from '../../services/ledger-api/commands/commands.js';
import { activeContractStream } from '../../services/ledger-api/state/state.js';
import { updateStream } from '../../services/ledger-api/updates/updates.js';
import type {
  JsCommands,
  JsExecuteSubmissionRequest,
  PartySignatures,
} from '../../spec/generated/ledger.js';
import { loggedIn, QUOTED } from '../../daml/errors/logging-context.js';
import { requires, streaming, unary, type Service } from './method.js';

interface CommandsRequest {
  readonly commands?: JsCommands;
}

interface PreferredVersionRequest {
  readonly parties: string[];
  readonly packageName: string;
  readonly synchronizerId: string;
  readonly vettingValidAt?: string;
}

interface LedgerEndRequest {
  readonly synchronizerIds?: string[];
}

interface KeysRequest {
  readonly synchronizerId: string;
  readonly partyId: string;
}

/** A new object for each call, because the user of the token is written into it. */
const noCommands = (): JsCommands => ({ commands: [], commandId: '', actAs: [] });
const nothingSigned = (): PartySignatures => ({ signatures: [] });

const commandsIn = {
  input: ({ commands = noCommands() }: CommandsRequest) => ({ body: commands }),
};

type Signed = 'preparedTransaction' | 'partySignatures';
type Executed = Omit<JsExecuteSubmissionRequest, Signed> &
  Partial<Pick<JsExecuteSubmissionRequest, Signed>>;

const prepared = {
  input: (message: Executed) => ({
    body: {
      ...message,
      preparedTransaction: message.preparedTransaction ?? '',
      partySignatures: message.partySignatures ?? nothingSigned(),
    },
  }),
  check: (message: Executed) =>
    loggedIn({ ...QUOTED, correlationId: message.submissionId || undefined }, () =>
      requires('prepared_transaction', 'party_signatures')(message),
    ),
};

/** The service of traffic accounts, in its own package. */
export const TRAFFIC_SERVICE = 'com.digitalasset.canton.tea.v1.TrafficService';

export const LEDGER_SERVICES: Readonly<Record<string, Service>> = {
  CommandService: {
    SubmitAndWait: unary('postV2CommandsSubmit-and-wait', commandsIn),
    SubmitAndWaitForTransaction: unary('postV2CommandsSubmit-and-wait-for-transaction', {
      input: ({ commands = noCommands(), ...rest }: CommandsRequest) => ({
        body: { ...rest, commands },
      }),
    }),
    SubmitAndWaitForReassignment: unary('postV2CommandsSubmit-and-wait-for-reassignment'),
  },
  CommandSubmissionService: {
    Submit: unary('postV2CommandsAsyncSubmit', commandsIn),
    SubmitReassignment: unary('postV2CommandsAsyncSubmit-reassignment'),
  },
  CommandCompletionService: {
    CompletionStream: streaming('postV2CommandsCompletions', completionStream),
    GetCompletionByHash: unary('postV2CommandsCompletion-by-hash'),
    GetCompletions: streaming('postV2CommandsCommand-completions', commandCompletionStream),
  },
  UpdateService: {
    GetUpdates: streaming('postV2Updates', updateStream),
    GetUpdateByOffset: unary('postV2UpdatesUpdate-by-offset'),
    GetUpdateById: unary('postV2UpdatesUpdate-by-id'),
    GetUpdateByHash: unary('postV2UpdatesUpdate-by-hash'),
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
    GetLedgerEnd: unary('getV2StateLedger-end', {
      input: ({ synchronizerIds: ids = [] }: LedgerEndRequest) => ({
        query: ids.length === 0 ? {} : { synchronizer_id: ids },
      }),
    }),
    GetLatestPrunedOffsets: unary('getV2StateLatest-pruned-offsets'),
  },
  EventQueryService: {
    GetEventsByContractId: unary('postV2EventsEvents-by-contract-id'),
  },
  ContractService: {
    GetContract: unary('postV2ContractsContract-by-id'),
  },
  'interactive.InteractiveSubmissionService': {
    PrepareSubmission: unary('postV2Interactive-submissionPrepare'),
    ExecuteSubmission: unary('postV2Interactive-submissionExecute', prepared),
    ExecuteSubmissionAndWait: unary('postV2Interactive-submissionExecuteandwait', prepared),
    ExecuteSubmissionAndWaitForTransaction: unary(
      'postV2Interactive-submissionExecuteandwaitfortransaction',
      prepared,
    ),
    GetPreferredPackageVersion: unary('getV2Interactive-submissionPreferred-package-version', {
      disabled: {
        group: 'endpoints-34',
        instead: 'interactive.InteractiveSubmissionService/GetPreferredPackages',
      },
      input: ({
        parties,
        packageName,
        synchronizerId,
        vettingValidAt,
      }: PreferredVersionRequest) => ({
        query: {
          parties,
          'package-name': packageName,
          'synchronizer-id': synchronizerId,
          vetting_valid_at: vettingValidAt,
        },
      }),
    }),
    GetPreferredPackages: unary('postV2Interactive-submissionPreferred-packages'),
  },
  JoseService: {
    GetJwks: unary('getV2JoseJwks', {
      input: ({ synchronizerId, partyId }: KeysRequest) => ({
        path: { synchronizer: synchronizerId, party: partyId },
      }),
      output: ({ keys }) => ({ keys: keys.map((key) => JSON.stringify(key)) }),
    }),
  },
  [TRAFFIC_SERVICE]: {
    GetAccount: unary('getV2TrafficAccountsAccount-id', {
      input: ({ accountId }: { accountId: string }) => ({ path: { 'account-id': accountId } }),
    }),
    UpdateAccount: unary('postV2TrafficAccounts'),
    PruneEvents: unary('postV2TrafficEventsPrune'),
  },
  VersionService: {
    GetLedgerApiVersion: unary('getV2Version'),
  },
};
