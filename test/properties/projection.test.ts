/**
 * The visible parts of a transaction, computed from its tree by the rules of the ledger model. An informee of a node sees that node and
 * all nodes below it; no other party does. Stakeholders see the changes of the active contracts.
 */
import fc from 'fast-check';
import {
  createCanticle,
  d,
  definePackage,
  defineTemplate,
  type Canticle,
  type ParticipantView,
  type TransactionTrace,
} from 'canticle';
import { ledgerHistory } from '../../src/testing/fast-check.js';
import {
  eventFormat,
  updateFormat,
  wildcard,
  type Shape,
  type JsonAnswer,
} from '../support/ledger-api.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { check, isUsualRun } from '../support/property.js';

const HINTS = ['alice', 'bob', 'carol'];
// The first one appears twice, because it has the most hidden parts.
const TEMPLATES = ['WithObservers', 'WithObservers', 'Delegated', 'Delegation', 'TriProposal'];

/** Its readers see each copy, but not the choice that created it. */
const Notice = defineTemplate({
  name: 'Notices:Notice',
  fields: { author: d.party, readers: d.list(d.party) },
  signatories: ({ author }) => [author],
  observers: ({ readers }) => readers,
  choices: (choice) => ({
    Copy: choice({
      consuming: false,
      result: d.contractId('Notices:Notice'),
      controllers: ({ author }) => [author],
      run: (update, { payload, template }) => update.create(template, payload),
    }),
  }),
});
const packages = [
  modelPackage,
  definePackage({ name: 'notices', version: '1.0.0', templates: [Notice] }),
];

const historiesOf = (templates: readonly string[], maxLength: number) =>
  ledgerHistory(packages, templates, { parties: HINTS, maxLength });
const histories = fc.oneof(
  { weight: 3, arbitrary: historiesOf(TEMPLATES.map(model), 40) },
  { weight: 1, arbitrary: historiesOf(['#notices:Notices:Notice'], 15) },
);

type Update = NonNullable<ReturnType<Canticle['network']['updates']['at']>>;
type Transaction = Extract<Update, { kind: 'transaction' }>['transaction'];
type Node = Extract<Transaction['nodes'][number], { kind: 'create' | 'exercise' | 'fetch' }>;

const stakeholders = ({ contract }: Pick<Node, 'contract'>): readonly string[] => [
  ...contract.signatories,
  ...contract.observers,
];

function isInformee(party: string, node: Node): boolean {
  switch (node.kind) {
    case 'create':
      return stakeholders(node).includes(party);
    case 'fetch':
      return [...node.contract.signatories, ...node.actingParties].includes(party);
    case 'exercise': {
      const concerned = node.consuming ? stakeholders(node) : node.contract.signatories;
      return [...concerned, ...node.actingParties, ...node.choiceObservers].includes(party);
    }
  }
}

/** All nodes of the tree that the party sees. */
function seenBy(party: string, transaction: Transaction): Node[] {
  const nodes = transaction.nodes as readonly Node[];
  const isSeen = (node: Node): boolean => {
    if (isInformee(party, node)) return true;
    const parent = nodes.find(({ nodeId }) => nodeId === node.parent);
    return parent !== undefined && isSeen(parent);
  };
  return nodes.filter(isSeen);
}

/** `create 3`, `exercise 0` …: the nodes that the party sees, by their position in the tree. */
function effectsFor(party: string, transaction: Transaction): string[] {
  return seenBy(party, transaction).flatMap((node) =>
    node.kind === 'fetch' ? [] : [`${node.kind} ${node.nodeId}`],
  );
}

/** With the node ids of a participant, which count from 0 the nodes that its parties see, in the order of the tree. */
function renumbered(
  events: readonly string[],
  update: Update,
  hosted: readonly string[],
): string[] {
  if (update.kind !== 'transaction') return [...events];
  const { transaction } = update;
  const all = hosted.flatMap((party) => seenBy(party, transaction).map(({ nodeId }) => nodeId));
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  return events.map((event) => {
    const [kind, place] = event.split(' ');
    return `${kind} ${numbers.indexOf(Number(place))}`;
  });
}

/** `create 3`, `archive 0`: contracts of the party that stay active after the transaction, or were active before it. */
function changesFor(party: string, transaction: Transaction): string[] {
  const nodes = transaction.nodes as readonly Node[];
  const ends = (node: Node): boolean => node.kind === 'exercise' && node.consuming;
  const count = (contractId: string): number =>
    nodes.filter(
      (node) => (ends(node) || node.kind === 'create') && node.contract.contractId === contractId,
    ).length;
  return nodes.flatMap((node) => {
    const changes = (node.kind === 'create' || ends(node)) && count(node.contract.contractId) === 1;
    if (!changes || !stakeholders(node).includes(party)) return [];
    return [`${node.kind === 'create' ? 'create' : 'archive'} ${node.nodeId}`];
  });
}

/** The events of an update that each of the parties should see, in order. */
function eventsFor(parties: readonly string[], update: Update, shape: Shape): string[] {
  const one = (party: string): string[] => {
    if (update.kind === 'transaction')
      return (shape === 'ACS_DELTA' ? changesFor : effectsFor)(party, update.transaction);
    if (update.kind === 'topology') return [];
    return update.events.flatMap((event) =>
      stakeholders(event).includes(party) ? [`${event.kind} ${event.nodeId}`] : [],
    );
  };
  const place = (event: string): number => Number(event.split(' ')[1]);
  return [...new Set(parties.flatMap(one))].sort((a, b) => place(a) - place(b));
}

/**
 * By update id, the events that readers at a participant should see; without any, there is no entry. A participant knows only the events
 * of its parties. Of these, a reader of other parties sees their events.
 * @param everybody all parties of the network, whose hosting does not change
 */
function expected(
  { network: { updates } }: Canticle,
  { engine }: ParticipantView,
  readers: readonly string[],
  everybody: readonly string[],
  shape: Shape,
): [string, string[]][] {
  const hosted = everybody.filter((party) => engine.hosts(party));
  const shown: [string, string[]][] = [];
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    const known = eventsFor(hosted, update, shape);
    const events = eventsFor(readers, update, shape).filter((event) => known.includes(event));
    if (events.length > 0) shown.push([update.updateId, renumbered(events, update, hosted)]);
  }
  return shown;
}

/** All parties of the network, including its own. */
function partiesIn({ network: { updates } }: Canticle): string[] {
  const parties = new Set<string>();
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    const named =
      update.kind === 'topology'
        ? update.events.map(({ party }) => party)
        : update.kind === 'transaction'
          ? update.transaction.nodes.flatMap((node) =>
              'contract' in node ? stakeholders(node) : [],
            )
          : [];
    for (const party of named) parties.add(party);
  }
  return [...parties];
}

/** The events that the participant returns for these parties; for any party if none is named. */
async function updatesFor(
  canticle: Canticle,
  { name, ledgerEnd }: ParticipantView,
  readers: readonly string[],
  shape: Shape,
) {
  const answer = await canticle.handle({
    path: `/participants/${name}/v2/updates?limit=200`,
    body: {
      beginExclusive: 0,
      endInclusive: ledgerEnd,
      updateFormat: updateFormat(shape, eventFormat(readers, wildcard())),
    },
  });
  return (answer.json() as JsonAnswer[]).map(({ update }) => {
    const { updateId, events } = Object.values<JsonAnswer>(update)[0].value;
    return [updateId, events.map(eventText)] as const;
  });
}

const WORDS: Readonly<Record<string, string>> = {
  CreatedEvent: 'create',
  ExercisedEvent: 'exercise',
  ArchivedEvent: 'archive',
  JsUnassignedEvent: 'unassigned',
  JsAssignmentEvent: 'assigned',
};

function eventText(event: JsonAnswer): string {
  const [[kind, content]] = Object.entries<JsonAnswer>(event) as [[string, JsonAnswer]];
  const { nodeId } =
    kind === 'JsAssignmentEvent' ? content.createdEvent : (content.value ?? content);
  return `${WORDS[kind]} ${nodeId}`;
}

test('each informee sees exactly its events, for all readers on all participants', async () => {
  let withheld = 0;
  let parts = 0;
  let hidden = 0;
  await check(
    fc.asyncProperty(histories, async (history) => {
      const canticle = createCanticle({
        seed: 3,
        packages,
        participants: [{ name: 'one' }, { name: 'two' }],
        synchronizers: [{ alias: 'global' }, { alias: 'app' }],
      });
      const stranger = canticle.participants[1]!.allocateParty('stranger');
      const { parties } = history.run(canticle);
      const everybody = partiesIn(canticle);
      const traces = tracesOf(canticle);
      const readerSets = [[], ...[...parties.values(), stranger].map((party) => [party])];
      for (const participant of canticle.participants)
        for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const)
          for (const readers of readerSets) {
            const who = readers.length === 0 ? everybody : readers;
            const seen = expected(canticle, participant, who, everybody, shape);
            expect([readers, await updatesFor(canticle, participant, readers, shape)]).toEqual([
              readers,
              seen,
            ]);
            if (readers[0] === stranger) expect(seen).toEqual([]);
            if (readers.length === 1)
              expect([readers, traced(canticle, traces, participant, readers[0]!, shape)]).toEqual([
                readers,
                seen,
              ]);
          }
      hidden += hiddenFromParticipants(canticle, everybody);
      withheld += withheldFromStakeholders(canticle);
      parts += seenInPart(canticle, [...parties.values()]);
    }),
    { numRuns: 25 },
  );
  // A transaction without hidden parts would prove nothing.
  if (isUsualRun) expect([withheld, parts, hidden].filter((count) => count > 2)).toHaveLength(3);
});

function tracesOf(canticle: Canticle): TransactionTrace[] {
  const { updates } = canticle.network;
  return Array.from({ length: updates.length }, (_, index) => {
    const { kind, updateId } = updates.at(index)!;
    const trace = canticle.trace(updateId);
    expect([updateId, trace.retraced]).toEqual([updateId, kind === 'transaction']);
    return trace;
  });
}

const WORDS_OF_TRACES = { unassign: 'unassigned', assign: 'assigned' } as Record<string, string>;

/** The same according to traces: the column of a party in the matrix of parties and events. */
function traced(
  { network }: Canticle,
  traces: readonly TransactionTrace[],
  { name, engine }: ParticipantView,
  party: string,
  shape: Shape,
): [string, string[]][] {
  return traces.flatMap(({ update, nodes, hosts }): [string, string[]][] => {
    const events = nodes.filter(({ event }) => event);
    const isDelta = shape === 'ACS_DELTA' && update!.kind === 'transaction';
    const changes = events.filter(({ kind, consuming }) => kind === 'create' || consuming);
    const texts = events.flatMap((node) => {
      const { kind, nodeId, contractId, signatories = [], observers = [], witnesses } = node;
      const isTransient = changes.filter((each) => each.contractId === contractId).length > 1;
      if (isDelta && (!changes.includes(node) || isTransient)) return [];
      const seeing = isDelta
        ? [...signatories, ...observers]
        : witnesses.map((witness) => witness.party);
      const isKnown = seeing.some((each) => hosts[each]!.includes(name));
      if (!isKnown || !seeing.includes(party)) return [];
      const word = isDelta && kind === 'exercise' ? 'archive' : (WORDS_OF_TRACES[kind] ?? kind);
      return [`${word} ${nodeId}`];
    });
    if (texts.length === 0) return [];
    const traced = network.updateById(update!.updateId)!;
    const hosted = Object.keys(hosts).filter((each) => engine.hosts(each));
    return [[update!.updateId, renumbered(texts, traced, hosted)]];
  });
}

/** Counts how often a participant knew a transaction in part. */
function hiddenFromParticipants(canticle: Canticle, everybody: readonly string[]): number {
  const { updates } = canticle.network;
  let hidden = 0;
  for (let index = 0; index < updates.length; index++) {
    const all = eventsFor(everybody, updates.at(index)!, 'LEDGER_EFFECTS').length;
    for (const { engine } of canticle.participants) {
      const hosted = everybody.filter((party) => engine.hosts(party));
      const known = eventsFor(hosted, updates.at(index)!, 'LEDGER_EFFECTS').length;
      if (known > 0 && known < all) hidden++;
    }
  }
  return hidden;
}

/** Counts how often a party saw a transaction in part. */
function seenInPart({ network: { updates } }: Canticle, parties: readonly string[]): number {
  let parts = 0;
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    if (update.kind !== 'transaction') continue;
    const { nodes } = update.transaction;
    const shown = parties.map((party) => effectsFor(party, update.transaction).length);
    const all = nodes.filter(({ kind }) => kind === 'create' || kind === 'exercise').length;
    parts += shown.filter((some) => some > 0 && some < all).length;
  }
  return parts;
}

/** Counts how often a stakeholder of a contract was not an informee of an exercise on it. */
function withheldFromStakeholders({ network: { updates } }: Canticle): number {
  let withheld = 0;
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    if (update.kind !== 'transaction') continue;
    for (const node of update.transaction.nodes as readonly Node[]) {
      if (node.kind !== 'exercise') continue;
      const shown = (party: string) =>
        effectsFor(party, update.transaction).includes(`exercise ${node.nodeId}`);
      withheld += stakeholders(node).filter((party) => !shown(party)).length;
    }
  }
  return withheld;
}
