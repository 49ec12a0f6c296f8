/** A participant numbers the nodes that it sees of a transaction, and no others: the same event has other node ids elsewhere. */
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';
import { e, u, type Code } from '../support/daml/lf-code.js';
import { encodePackage, type ChoiceSpec } from '../support/daml/lf-encoder.js';
import { uncheckedPackage } from '../support/daml/lf-probe.js';
import { t } from '../support/daml/lf-types.js';
import { eventFormat, updateFormat, type JsonAnswer } from '../support/ledger-api.js';

const [NOTE, AGENT] = [t.con('Main:Note'), t.con('Main:Agent')];
const EX = t.con('Main:Ex');
const parties = (...items: Code[]) => e.list(t.party, items);
const own = (type: typeof NOTE, name: string) => e.field(type, name, e.var('this'));
const done = u.pure(t.unit, e.unit);
const fails = e.throw(t.builtin(17, t.unit), EX, e.record(EX, {}));
const then = (...updates: Code[]) =>
  u.block(
    updates.map((update) => [undefined, t.unit, update] as const),
    done,
  );
/** A note of the owner that a party of the agent reads. */
const noteFor = (reader: string) =>
  u.create('Main:Note', e.record(NOTE, { owner: own(AGENT, 'owner'), reader: own(AGENT, reader) }));
const look = u.exercise('Main:Note', 'Look', e.var('arg'), e.unit);
const ofAgent = (update: Code): ChoiceSpec => ({
  consuming: false,
  argument: t.contractId(NOTE),
  returns: t.unit,
  controllers: parties(own(AGENT, 'owner')),
  update,
});

const main = encodePackage({
  name: 'node-ids',
  lf: 'dev',
  modules: {
    Main: {
      types: { Ex: { record: {} } },
      exceptions: ['Ex'],
      templates: {
        Note: {
          fields: { owner: t.party, reader: t.party },
          precondition: e.true,
          signatories: parties(own(NOTE, 'owner')),
          observers: parties(own(NOTE, 'reader')),
          choices: {
            /** Which its reader sees. */
            Look: {
              consuming: false,
              argument: t.unit,
              returns: t.unit,
              controllers: parties(own(NOTE, 'owner')),
              observers: parties(own(NOTE, 'reader')),
              update: then(u.fetch('Main:Note', e.var('self'))),
            },
          },
        },
        Agent: {
          fields: { owner: t.party, left: t.party, right: t.party },
          precondition: e.true,
          signatories: parties(own(AGENT, 'owner')),
          observers: parties(),
          choices: {
            Tell: ofAgent(then(noteFor('left'), noteFor('right'), look)),
            RollBack: ofAgent(
              then(
                noteFor('left'),
                u.tryCatch(t.unit, then(look, fails), 'x', e.some(t.builtin(17, t.unit), done)),
                noteFor('right'),
                look,
              ),
            ),
          },
        },
      },
    },
  },
});

const packages = [uncheckedPackage(main)];
const NAMES = ['center', 'left', 'right'];

/** The agent's owner is at the center, its two readers are elsewhere. */
function world() {
  const canticle = createCanticle({
    seed: 1,
    packages,
    participants: NAMES.map((name) => ({ name })),
  });
  const [center] = canticle.participants;
  const [owner, left, right] = canticle.participants.map((each) =>
    each.allocateParty(`of-${each.name}`),
  );
  const actAs = [owner!];
  const agent = center!.create(`${main.id}:Main:Agent`, { owner, left, right }, { actAs });
  const note = center!.create(`${main.id}:Main:Note`, { owner, reader: right }, { actAs });
  return {
    canticle,
    run: (choice: string) =>
      center!.exercise(`${main.id}:Main:Agent`, agent, choice, note, { actAs }),
  };
}

async function post(canticle: Canticle, place: number, path: string, more: object) {
  const { name, engine, ledgerEnd } = canticle.participants[place]!;
  const format = eventFormat(
    canticle.network.topology.parties().filter((party) => engine.hosts(party)),
  );
  const body = { ...more, activeAtOffset: ledgerEnd, endInclusive: ledgerEnd };
  const formats = { eventFormat: format, updateFormat: updateFormat('LEDGER_EFFECTS', format) };
  const answer = await canticle.handle({
    path: `/participants/${name}${path}`,
    body: path === '/v2/updates' ? { ...body, ...formats } : { ...body, eventFormat: format },
  });
  return answer.json() as JsonAnswer;
}

/** `create 1`, `exercise 0-3` …: the events of the last update at a participant. */
async function lastEvents(canticle: Canticle, place: number): Promise<string[]> {
  const beginExclusive = canticle.participants[place]!.ledgerEnd - 1;
  const [{ update }] = await post(canticle, place, '/v2/updates', { beginExclusive });
  return update.Transaction.value.events.map((event: JsonAnswer) => {
    const { CreatedEvent, ExercisedEvent } = event;
    if (CreatedEvent) return `create ${CreatedEvent.nodeId}`;
    return `exercise ${ExercisedEvent.nodeId}-${ExercisedEvent.lastDescendantNodeId}`;
  });
}

/** The node ids of active contracts in the last update of a participant, in its set and by the contract's id. */
async function lastActive(canticle: Canticle, place: number): Promise<number[][]> {
  const entries = await post(canticle, place, '/v2/state/active-contracts', {});
  const last = canticle.participants[place]!.ledgerEnd;
  const created = entries
    .map(({ contractEntry }: JsonAnswer) => contractEntry.JsActiveContract.createdEvent)
    .filter(({ offset }: JsonAnswer) => offset === last);
  return Promise.all(
    created.map(async ({ nodeId, contractId }: JsonAnswer) => {
      const path = '/v2/events/events-by-contract-id';
      const answer = await post(canticle, place, path, { contractId });
      return [nodeId, answer.created.createdEvent.nodeId];
    }),
  );
}

it('a reader of the root numbers all nodes', async () => {
  const { canticle, run } = world();
  run('Tell');
  expect(await lastEvents(canticle, 0)).toEqual([
    'exercise 0-4',
    'create 1',
    'create 2',
    'exercise 3-4',
  ]);
  expect(await lastActive(canticle, 0)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it('a witness of a part numbers its nodes from 0, without gaps (B-EVT-031)', async () => {
  const { canticle, run } = world();
  run('Tell');
  expect(await lastEvents(canticle, 1)).toEqual(['create 0']);
  expect(await lastEvents(canticle, 2)).toEqual(['create 0', 'exercise 1-2']);
  expect(await lastActive(canticle, 1)).toEqual([[0, 0]]);
  expect(await lastActive(canticle, 2)).toEqual([[0, 0]]);
});

it('a rollback has a node id only for readers that see a node inside it', async () => {
  const { canticle, run } = world();
  run('RollBack');
  expect(await lastEvents(canticle, 0)).toEqual([
    'exercise 0-7',
    'create 1',
    'create 5',
    'exercise 6-7',
  ]);
  expect(await lastEvents(canticle, 1)).toEqual(['create 0']);
  expect(await lastEvents(canticle, 2)).toEqual(['create 3', 'exercise 4-5']);
  expect(await lastActive(canticle, 2)).toEqual([[3, 3]]);
});

/** Its reader sees each copy, and not the choice that made it. */
const Notice = defineTemplate({
  name: 'Notices:Notice',
  fields: { author: d.party, reader: d.party },
  signatories: ({ author }) => [author],
  observers: ({ reader }) => [reader],
  choices: (choice) => ({
    Copy: choice({
      consuming: false,
      result: d.contractId('Notices:Notice'),
      controllers: ({ author }) => [author],
      run: (update, { payload, template }) => update.create(template, payload),
    }),
  }),
});

it('node ids do not change when a world is saved and loaded', async () => {
  const notices = [definePackage({ name: 'notices', version: '1.0.0', templates: [Notice] })];
  const participants = [{ name: 'here' }, { name: 'there' }];
  const canticle = createCanticle({ seed: 1, packages: notices, participants });
  const [here, there] = canticle.participants;
  const [author, reader] = [here!.allocateParty('author'), there!.allocateParty('reader')];
  const by = { actAs: [author] };
  const notice = here!.create('#notices:Notices:Notice', { author, reader }, by);
  here!.exercise('#notices:Notices:Notice', notice, 'Copy', {}, by);
  const loaded = createCanticle({ load: canticle.dump(), packages: notices });
  for (const each of [canticle, loaded]) {
    expect(await lastEvents(each, 0)).toEqual(['exercise 0-1', 'create 1']);
    expect(await lastEvents(each, 1)).toEqual(['create 0']);
    expect(await lastActive(each, 1)).toEqual([[0, 0]]);
  }
});
