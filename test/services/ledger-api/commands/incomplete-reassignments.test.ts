/** Several contracts on the move at a time: what was alone at an earlier offset, whatever has come since (B-ACS-012). */
import {
  create,
  eventFormat,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;

beforeEach(async () => {
  api = await startLedgerApi({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
  const { participant } = api.canticle;
  alice = participant.allocateParty('alice', { synchronizers: ['global', 'app'] });
});
afterEach(() => api.client.close());

it('is listed in the order of unassignments, for any order of the assignments', async () => {
  const { participant } = api.canticle;
  const dummy = () =>
    participant.create(
      model('Dummy'),
      { operator: alice },
      { actAs: [alice], synchronizer: 'global' },
    );
  const contracts = [dummy(), dummy(), dummy()];
  const start = participant.ledgerEnd;
  const moves = contracts.map((id) => participant.unassign(id, { to: 'app' }));
  const kinds = async (activeAtOffset: number) =>
    (await api.acs(eventFormat([alice]), { activeAtOffset })).flatMap(
      ({ contractEntry }: JsonAnswer) => Object.keys(contractEntry),
    );
  expect(await kinds(start)).toEqual(contracts.map(() => 'JsActiveContract'));
  expect((await kinds(start + 1)).sort()).toEqual([
    'JsActiveContract',
    'JsActiveContract',
    'JsIncompleteUnassigned',
  ]);
  const activeAtOffset = participant.ledgerEnd;
  const incomplete = async () =>
    (await api.acs(eventFormat([alice]), { activeAtOffset })).map(
      ({ contractEntry }: JsonAnswer) =>
        contractEntry.JsIncompleteUnassigned.createdEvent.contractId as string,
    );
  expect(await incomplete()).toEqual(contracts);
  // The last that left arrives first, with a transaction in front, and the first one is still on its way.
  await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
  for (const move of moves.slice(1).reverse()) participant.assign(move);
  participant.allocateParty('bob', { synchronizers: ['global'] });
  expect(await incomplete()).toEqual(contracts);
});

it('is listed with its last activation, the assignment before the last unassignment', async () => {
  const { participant } = api.canticle;
  const payload = { operator: alice };
  const id = participant.create(model('Dummy'), payload, {
    actAs: [alice],
    synchronizer: 'global',
  });
  participant.assign(participant.unassign(id, { to: 'app' }));
  const arrived = participant.ledgerEnd;
  participant.unassign(id, { to: 'global' });
  const activeAtOffset = participant.ledgerEnd;
  const [{ contractEntry }] = (await api.acs(eventFormat([alice]), {
    activeAtOffset,
  })) as JsonAnswer;
  const { createdEvent, unassignedEvent } = contractEntry.JsIncompleteUnassigned;
  expect([createdEvent.offset, unassignedEvent.offset]).toEqual([arrived, activeAtOffset]);
});
