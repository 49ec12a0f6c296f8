/**
 * The official client drives the API over real HTTP, made as its users make it: a URL, a pino logger, a token provider. Its
 * types check the payloads.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  awaitCompletion,
  LedgerClient,
  type PostRequest,
  type Types,
} from '@canton-network/core-ledger-client';
import { startCanticle, type Canticle } from 'canticle';
import { modelPackage, model } from '../support/daml/model-package.js';

type Options = ConstructorParameters<typeof LedgerClient>[0];

// Its own dependency, as an application that uses it has it.
const theirs = createRequire(
  join(process.cwd(), 'node_modules/@canton-network/core-ledger-client/package.json'),
);
const pino = theirs('pino') as (options: { level: string }) => Options['logger'];
const USER = 'wallet-user';
const token = `e30.${Buffer.from(JSON.stringify({ sub: USER })).toString('base64url')}.`;

// As the client's own provider of a fixed token does, which is in a package that jest cannot load.
const accessTokenProvider: Options['accessTokenProvider'] = {
  getAccessToken: () => Promise.resolve(token),
  getAuthContext: () => Promise.resolve({ userId: USER, accessToken: token }),
};

let canticle: Canticle;
let client: LedgerClient;

beforeAll(async () => {
  canticle = await startCanticle({ seed: 1, packages: [modelPackage] });
  const logger = pino({ level: 'silent' });
  client = new LedgerClient({
    baseUrl: new URL(canticle.urls.ledgerApi),
    logger,
    accessTokenProvider,
  });
  await client.init();
});
afterAll(() => canticle.close());

async function allocate(partyIdHint: string): Promise<string> {
  const { partyDetails } = await client.post('/v2/parties', {
    partyIdHint,
    identityProviderId: '',
  });
  return partyDetails!.party;
}

const commandsOf = (
  actAs: string,
  commands: Types['Command'][],
): PostRequest<'/v2/commands/submit-and-wait'> => ({
  commands,
  commandId: `command-${++commandCount}`,
  userId: USER,
  actAs: [actAs],
  readAs: [],
});
let commandCount = 0;

const dummy = (operator: string): Types['Command'] => ({
  CreateCommand: { templateId: model('Dummy'), createArguments: { operator } },
});

async function activeContracts(party: string, cumulative: Types['CumulativeFilter'][]) {
  const { offset } = await client.get('/v2/state/ledger-end');
  const entries = await client.post('/v2/state/active-contracts', {
    activeAtOffset: offset!,
    verbose: false,
    filter: { filtersByParty: { [party]: { cumulative } } },
  } as PostRequest<'/v2/state/active-contracts'>);
  return entries.flatMap(({ contractEntry }) =>
    contractEntry && 'JsActiveContract' in contractEntry
      ? [contractEntry.JsActiveContract.createdEvent]
      : [],
  );
}

it('reads the version', async () => {
  expect(client.getCurrentClientVersion()).toBe('3.5');
  const { version, features } = await client.get('/v2/version');
  expect(version).toMatch(/^3\.5\./);
  expect(features?.partyManagement?.maxPartiesPageSize).toBe(10000);
});

it('lists the synchronizer and the parties', async () => {
  expect(await client.getSynchronizerId()).toBe(canticle.network.synchronizers[0]!.id);
  const party = await allocate('finder');
  expect(await client.checkIfPartyExists(party as never)).toBe(true);
  expect(await client.checkIfPartyExists('nobody::1220' as never)).toBe(false);
});

it('creates users and grants rights', async () => {
  const party = await allocate('granted');
  const created = await client.createUser('new-user', party as never);
  expect(created).toMatchObject({ id: 'new-user', primaryParty: party });
  expect(await client.createUser('new-user', party as never)).toMatchObject({ id: 'new-user' });
  await client.waitForPartyAndGrantUserRights('new-user', party as never, 2, 1);
  const granted = await client.grantRights('new-user', {
    readAs: [party as never],
    canReadAsAnyParty: true,
  });
  expect(granted.newlyGrantedRights).toHaveLength(2);
  await client.grantMasterUserRights('new-user', true, true);
  const { rights } = await client.get('/v2/users/{user-id}/rights', {
    path: { 'user-id': 'new-user' },
  });
  expect(rights!.map(({ kind }) => Object.keys(kind!)[0]).sort()).toEqual(
    expect.arrayContaining(['CanActAs', 'CanReadAs', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty']),
  );
});

it('creates a contract, exercises a choice on it, and follows its updates', async () => {
  const party = await allocate('trader');
  const { offset: begin } = await client.get('/v2/state/ledger-end');
  const { transaction } = await client.post('/v2/commands/submit-and-wait-for-transaction', {
    commands: commandsOf(party, [dummy(party)]),
  });
  const [event] = transaction.events!;
  if (!event || !('CreatedEvent' in event)) throw new Error('no created event');
  const { contractId } = event.CreatedEvent;
  const exercised = await client.post('/v2/commands/submit-and-wait', {
    ...commandsOf(party, [
      {
        ExerciseCommand: {
          templateId: model('Dummy'),
          contractId,
          choice: 'Clone',
          choiceArgument: {},
        },
      },
    ]),
  });
  const updates = await client.post('/v2/updates', {
    beginExclusive: begin!,
    endInclusive: exercised.completionOffset,
    verbose: false,
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty: { [party]: {} }, verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    },
  } as PostRequest<'/v2/updates'>);
  const kinds = updates.flatMap(({ update }) =>
    update && 'Transaction' in update
      ? update.Transaction.value.events!.map((each) => Object.keys(each)[0])
      : [],
  );
  expect(kinds).toEqual(['CreatedEvent', 'ExercisedEvent', 'CreatedEvent', 'CreatedEvent']);
});

it('reads active contracts by party, template and interface', async () => {
  const party = await allocate('holder');
  const coin: Types['Command'] = {
    CreateCommand: { templateId: model('Coin'), createArguments: { owner: party, label: 'gold' } },
  };
  await client.post('/v2/commands/submit-and-wait', commandsOf(party, [dummy(party), coin]));
  const names = async (...filters: Types['CumulativeFilter'][]) =>
    (await activeContracts(party, filters)).map(({ templateId }) => templateId.split(':')[2]);
  const wildcard = {
    identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } },
  };
  const template = {
    identifierFilter: {
      TemplateFilter: { value: { templateId: model('Dummy'), includeCreatedEventBlob: false } },
    },
  };
  const asset = {
    identifierFilter: {
      InterfaceFilter: {
        value: {
          interfaceId: model('Asset'),
          includeInterfaceView: true,
          includeCreatedEventBlob: true,
        },
      },
    },
  };
  expect(await names(wildcard)).toEqual(['Dummy', 'Coin']);
  expect(await names(template)).toEqual(['Dummy']);
  expect(await names(asset)).toEqual(['Coin']);
  const [held] = await activeContracts(party, [asset]);
  expect(held!.interfaceViews![0]!.viewValue).toEqual({ owner: party, label: 'gold' });
});

it('waits for completions, and receives refusals', async () => {
  const party = await allocate('waiter');
  const { offset } = await client.get('/v2/state/ledger-end');
  const commands = commandsOf(party, [dummy(party)]);
  await client.post('/v2/commands/async/submit', commands);
  const completion = await awaitCompletion(
    client,
    offset!,
    party as never,
    USER,
    commands.commandId,
  );
  expect(completion).toMatchObject({ commandId: commands.commandId, actAs: [party] });
  await expect(client.post('/v2/commands/submit-and-wait', commands)).rejects.toMatchObject({
    code: 'DUPLICATE_COMMAND',
  });
  await expect(
    awaitCompletion(client, completion.offset!, party as never, USER, commands.commandId),
  ).rejects.toMatchObject({
    code: 6,
    errorInfo: { reason: 'DUPLICATE_COMMAND' },
  });
  await expect(
    client.post('/v2/commands/submit-and-wait', commandsOf(party, [dummy('stranger')])),
  ).rejects.toMatchObject({ code: 'DAML_AUTHORIZATION_ERROR', grpcCodeValue: 3 });
});
