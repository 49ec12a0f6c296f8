/**
 * Who sees what of a transaction, worked out from its tree by the ledger model's own words: an informee of a node sees that node and
 * all below it, nobody else does, and a change of the active contracts is told to the stakeholders.
 */
import fc from 'fast-check';
import {
  createCanticle,
  d,
  definePackage,
  defineTemplate,
  type Canticle,
  type ParticipantView,
} from 'canticle';
import { ledgerHistory } from '../../src/testing/fast-check.js';
import {
  eventFormat,
  updateFormat,
  wildcard,
  type Shape,
  type Told,
} from '../support/ledger-api.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { check, isUsualRun } from '../support/property.js';

const HINTS = ['alice', 'bob', 'carol'];
// The first stands twice: it has the most to hide.
const TEMPLATES = ['WithObservers', 'WithObservers', 'Delegated', 'Delegation', 'TriProposal'];

/** Its readers see each copy, and not the choice that made it. */
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

/** `create 3`, `exercise 0` …: the nodes that the party is shown, by their place in the tree. */
function effectsFor(party: string, transaction: Transaction): string[] {
  const nodes = transaction.nodes as readonly Node[];
  const isSeen = (node: Node): boolean => {
    if (isInformee(party, node)) return true;
    const parent = nodes.find(({ nodeId }) => nodeId === node.parent);
    return parent !== undefined && isSeen(parent);
  };
  return nodes.flatMap((node) =>
    node.kind !== 'fetch' && isSeen(node) ? [`${node.kind} ${node.nodeId}`] : [],
  );
}

/** `create 3`, `archive 0`: contracts of the party that outlive the transaction, or were there before it. */
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

/** By update id, what a party should be told of it; nothing of it, no entry. */
function expected(canticle: Canticle, party: string, shape: Shape): [string, string[]][] {
  const { updates } = canticle.network;
  const told: [string, string[]][] = [];
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    const events =
      update.kind === 'transaction'
        ? (shape === 'ACS_DELTA' ? changesFor : effectsFor)(party, update.transaction)
        : update.kind === 'reassignment'
          ? update.events.flatMap((event) =>
              stakeholders(event).includes(party) ? [`${event.kind} ${event.nodeId}`] : [],
            )
          : [];
    if (events.length > 0) told.push([update.updateId, events]);
  }
  return told;
}

async function told(
  canticle: Canticle,
  { name, ledgerEnd }: ParticipantView,
  party: string,
  shape: Shape,
) {
  const answer = await canticle.handle({
    path: `/participants/${name}/v2/updates?limit=200`,
    body: {
      beginExclusive: 0,
      endInclusive: ledgerEnd,
      updateFormat: updateFormat(shape, eventFormat([party], wildcard())),
    },
  });
  return (answer.json() as Told[]).map(({ update }) => {
    const { updateId, events } = Object.values<Told>(update)[0].value;
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

function eventText(event: Told): string {
  const [[kind, content]] = Object.entries<Told>(event) as [[string, Told]];
  const { nodeId } =
    kind === 'JsAssignmentEvent' ? content.createdEvent : (content.value ?? content);
  return `${WORDS[kind]} ${nodeId}`;
}

test('an informee is told all that it should see, and nobody is told more', async () => {
  let kept = 0;
  let parts = 0;
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
      for (const party of [...parties.values(), stranger]) {
        const host = canticle.participants.find(({ engine }) => engine.hosts(party))!;
        for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
          const seen = expected(canticle, party, shape);
          expect(await told(canticle, host, party, shape)).toEqual(seen);
          if (party === stranger) expect(seen).toEqual([]);
        }
      }
      kept += keptFromStakeholders(canticle);
      parts += seenInPart(canticle, [...parties.values()]);
    }),
    { numRuns: 25 },
  );
  // What nobody has a secret from, shows nothing.
  if (isUsualRun) expect([kept, parts].map((count) => count > 2)).toEqual([true, true]);
});

/** How often a party was shown something of a transaction, and not all of it. */
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

/** How often an exercise was none of the business of a party that has a stake in its contract. */
function keptFromStakeholders({ network: { updates } }: Canticle): number {
  let kept = 0;
  for (let index = 0; index < updates.length; index++) {
    const update = updates.at(index)!;
    if (update.kind !== 'transaction') continue;
    for (const node of update.transaction.nodes as readonly Node[]) {
      if (node.kind !== 'exercise') continue;
      const shown = (party: string) =>
        effectsFor(party, update.transaction).includes(`exercise ${node.nodeId}`);
      kept += stakeholders(node).filter((party) => !shown(party)).length;
    }
  }
  return kept;
}
