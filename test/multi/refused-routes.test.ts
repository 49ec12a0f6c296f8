/** Which refusal comes first where several synchronizers are in question, and something is wrong in more than one way. */
import { createCanticle, type Canticle, type ParticipantView } from 'canticle';
import { multiSync } from '../../src/cli/index.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { create, eventFormat, exercise, type JsonAnswer } from '../support/ledger-api.js';

const { participants, synchronizers } = multiSync(0);
const SHARED = model('WithObservers');
let canticle: Canticle;
let sandbox: ParticipantView;
let pebblebox: ParticipantView;
let alice: string;
let second: string;

beforeEach(() => {
  canticle = createCanticle({ participants, synchronizers, seed: 1, packages: [modelPackage] });
  [sandbox, pebblebox] = canticle.participants as [ParticipantView, ParticipantView];
  alice = sandbox.allocateParty('alice');
  second = canticle.network.synchronizers[1]!.id;
});

const made = (observers: readonly string[] = []): string =>
  sandbox.create(
    SHARED,
    { giver: alice, observers },
    { actAs: [alice], synchronizer: 'synchronizer-1' },
  );
const archive = (contractId: string) => exercise(SHARED, contractId, 'Archive');

async function refusal(
  commands: readonly object[],
  more: object = {},
  at = 'sandbox',
): Promise<JsonAnswer> {
  const body = { commands, commandId: 'c', userId: 'tester', actAs: [alice], ...more };
  const path = `/participants/${at}/v2/commands/submit-and-wait`;
  return (await canticle.handle({ path, body })).json();
}

it('reports a contract in flight if the command has no new parties or packages', async () => {
  const contract = made();
  sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice });
  expect((await refusal([archive(contract)])).code).toBe('UNKNOWN_CONTRACT_SYNCHRONIZERS');
});

it('reports a topology fault before a contract in flight (B-RSG-029)', async () => {
  const here = sandbox.allocateParty('here', { synchronizers: ['synchronizer-1'] });
  const there = sandbox.allocateParty('there', { synchronizers: ['synchronizer-2'] });
  const contract = made();
  sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice });
  const shared = create(SHARED, { giver: alice, observers: [here, there] });
  expect((await refusal([archive(contract), shared])).code).toBe('INFORMEES_NOT_ACTIVE');
  // An acting party that no root node requires is not checked there.
  const bob = pebblebox.allocateParty('bob');
  const foreign = { actAs: [alice, bob] };
  expect((await refusal([archive(contract)], foreign)).code).toBe('UNKNOWN_CONTRACT_SYNCHRONIZERS');
  const own = create(SHARED, { giver: bob, observers: [] });
  expect((await refusal([archive(contract), own], foreign)).code).toBe(
    'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
  );
});

it('reports inputs that no submitter may move, in the order of the synchronizers', async () => {
  const contract = made();
  const carol = sandbox.allocateParty('carol');
  const [entry] = (
    await canticle.handle({
      path: '/v2/state/active-contracts',
      body: {
        activeAtOffset: sandbox.ledgerEnd,
        eventFormat: eventFormat([alice], {
          identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
        }),
      },
    })
  ).json() as JsonAnswer[];
  const { createdEventBlob } = entry.contractEntry.JsActiveContract.createdEvent;
  const take = exercise(SHARED, contract, 'Take', { actor: carol });
  const error = await refusal([take], {
    ...{ actAs: [carol], synchronizerId: second },
    disclosedContracts: [{ createdEventBlob }],
  });
  expect([error.code, error.context.discardedSynchronizers]).toEqual([
    'NO_SYNCHRONIZER_FOR_SUBMISSION',
    expect.stringMatching(
      /^Map\(synchronizer-2::.*::35-0 -> Automatically reassigning contracts to a common synchronizer failed\.\)$/,
    ),
  ]);
});

it('cannot find an input on a disconnected synchronizer', async () => {
  const bob = pebblebox.allocateParty('bob');
  const contract = made([bob]);
  pebblebox.disconnect('synchronizer-1');
  const take = exercise(SHARED, contract, 'Take', { actor: bob });
  const error = await refusal([take], { actAs: [bob] }, 'pebblebox');
  expect([error.code, error.context.notFound]).toEqual([
    'UNKNOWN_CONTRACT_SYNCHRONIZERS',
    `List(${contract})`,
  ]);
});
