/**
 * Participants of each release in one network, over JSON and gRPC. The commands of each reach the streams of all, and one
 * completes the reassignment that another begins.
 */
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';
import { TestClient } from '../../support/client.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import {
  create,
  eventFormat,
  LedgerApi,
  updateFormat,
  wildcard,
} from '../../support/ledger-api.js';

const RELEASES = ['3.4', '3.5', '3.6', '3.7'] as const;
type Release = (typeof RELEASES)[number];
const TRANSPORTS = ['JSON', 'gRPC'] as const;
type Transport = (typeof TRANSPORTS)[number];

const nameOf = (release: Release) => `of-${release.replace('.', '-')}`;
const TEMPLATE = { packageId: '#model-tests', moduleName: 'Test', entityName: 'WithObservers' };

let canticle: Canticle;
const apis = {} as Record<Release, LedgerApi>;
const clients = {} as Record<Release, GrpcClient>;
const parties = {} as Record<Release, string>;

beforeAll(async () => {
  canticle = await startCanticle({
    seed: 1,
    packages: [modelPackage],
    // Another participant may assign at once.
    synchronizers: ['one', 'two'].map((alias) => ({ alias, assignmentExclusivityTimeout: 'PT0S' })),
    participants: RELEASES.map((canton) => ({ name: nameOf(canton), canton })),
    grpc: true,
    checkpoints: { first: 1_000_000 },
  });
  for (const release of RELEASES) {
    const name = nameOf(release);
    const own = Object.create(canticle, { url: { value: canticle.ledgerApis[name] } }) as Canticle;
    apis[release] = new LedgerApi(new TestClient(own, { apiVersion: release }));
    clients[release] = await GrpcClient.connect(canticle.grpcApis[name]!);
    parties[release] = canticle.network.participant(name).allocateParty(`party-${name}`);
  }
});
afterAll(async () => {
  for (const release of RELEASES) clients[release].close();
  await canticle.close();
});

let commands = 0;

/** Creates a contract that all parties see. @returns its update */
async function created(giver: Release, transport: Transport): Promise<string> {
  const [one] = canticle.network.synchronizers.map(({ id }) => id);
  const party = parties[giver];
  const observers = Object.values(parties);
  const commandId = `create-${++commands}`;
  if (transport === 'JSON') {
    const submitted = create(model('WithObservers'), { giver: party, observers });
    const options = { actAs: party, synchronizerId: one };
    return (await apis[giver].submit(submitted, options)).updateId;
  }
  const createArguments = {
    fields: [
      { value: { party } },
      { value: { list: { elements: observers.map((each) => ({ party: each })) } } },
    ],
  };
  const request = {
    userId: 'tester',
    commandId,
    actAs: [party],
    synchronizerId: one,
    commands: [{ create: { templateId: TEMPLATE, createArguments } }],
  };
  const { updateId } = await clients[giver].call('CommandService/SubmitAndWait', {
    commands: request,
  });
  return updateId;
}

const formatOf = (party: string) => ({
  filtersByParty: { [party]: { cumulative: [{ wildcardFilter: {} }] } },
});

/** The ids of the updates after an offset, as a participant streams them. */
async function streamed(reader: Release, transport: Transport, beginExclusive: number) {
  const party = parties[reader];
  if (transport === 'JSON') {
    const format = updateFormat('LEDGER_EFFECTS', eventFormat([party], wildcard()));
    const updates = await apis[reader].updates(format, { beginExclusive });
    return updates.map(({ Transaction, Reassignment }: any) =>
      Transaction === undefined ? Reassignment.value.updateId : Transaction.value.updateId,
    );
  }
  const updates = await clients[reader].stream('UpdateService/GetUpdates', {
    beginExclusive,
    endInclusive: await apis[reader].ledgerEnd(),
    updateFormat: {
      includeTransactions: {
        eventFormat: formatOf(party),
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
      includeReassignments: formatOf(party),
    },
  });
  return updates.map(
    ({ transaction, reassignment }: any) => (transaction ?? reassignment).updateId,
  );
}

/** The contract of an update, and the synchronizer that each participant has it on. */
async function activeAt(reader: Release, transport: Transport, contractId: string) {
  const party = parties[reader];
  if (transport === 'JSON') {
    const entries = await apis[reader].acs(eventFormat([party], wildcard()));
    const found = entries
      .map(({ contractEntry }: any) => contractEntry.JsActiveContract)
      .find((each: any) => each?.createdEvent.contractId === contractId);
    return found?.synchronizerId;
  }
  const entries = await clients[reader].stream('StateService/GetActiveContracts', {
    activeAtOffset: await apis[reader].ledgerEnd(),
    eventFormat: formatOf(party),
  });
  return entries
    .map(({ activeContract }: any) => activeContract)
    .find((each: any) => each?.createdEvent.contractId === contractId)?.synchronizerId;
}

/** Reassigns. @returns the id of the reassignment, which is new after an unassignment */
async function moved(mover: Release, transport: Transport, command: object): Promise<string> {
  const submitter = parties[mover];
  const commandId = `move-${++commands}`;
  const [kind, value] = Object.entries(command)[0]!;
  if (transport === 'JSON') {
    const { reassignment } = await apis[mover].ok('/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        ...{ submitter, commandId, userId: 'mover' },
        commands: [{ command: { [`${kind}Command`]: { value } } }],
      },
      eventFormat: eventFormat([submitter], wildcard()),
    });
    return reassignment.events[0].JsUnassignedEvent?.value.reassignmentId;
  }
  const { reassignment } = await clients[mover].call(
    'CommandService/SubmitAndWaitForReassignment',
    {
      reassignmentCommands: {
        ...{ submitter, commandId, userId: 'mover' },
        commands: [{ [`${kind.toLowerCase()}Command`]: value }],
      },
      eventFormat: formatOf(submitter),
    },
  );
  return reassignment.events[0].unassigned?.reassignmentId;
}

/** The contract that an update created. */
async function contractOf(reader: Release, updateId: string): Promise<string> {
  const format = updateFormat('ACS_DELTA', eventFormat([parties[reader]], wildcard()));
  const { update } = await apis[reader].ok('/v2/updates/update-by-id', {
    updateId,
    updateFormat: format,
  });
  return update.Transaction.value.events[0].CreatedEvent.contractId as string;
}

const cases = RELEASES.flatMap((giver) =>
  TRANSPORTS.map((transport) => [giver, transport] as const),
);

it.each(cases)('a command of %s over %s is in the streams of each release', async (giver, over) => {
  const ends = await Promise.all(RELEASES.map((release) => apis[release].ledgerEnd()));
  const updateId = await created(giver, over);
  for (const [index, reader] of RELEASES.entries())
    for (const transport of TRANSPORTS)
      expect(await streamed(reader, transport, ends[index]!)).toEqual([updateId]);
});

it.each(cases)(
  'a reassignment that %s begins over %s is completed by the next release, over the other transport',
  async (giver, over) => {
    const next = RELEASES[(RELEASES.indexOf(giver) + 1) % RELEASES.length]!;
    const other = over === 'JSON' ? 'gRPC' : 'JSON';
    const [one, two] = canticle.network.synchronizers.map(({ id }) => id);
    const updateId = await created(giver, over);
    const contractId = await contractOf(giver, updateId);
    const reassignmentId = await moved(giver, over, {
      Unassign: { contractId, source: one, target: two },
    });
    await moved(next, other, { Assign: { reassignmentId, source: one, target: two } });
    for (const reader of RELEASES)
      for (const transport of TRANSPORTS)
        expect(await activeAt(reader, transport, contractId)).toBe(two);
  },
);
