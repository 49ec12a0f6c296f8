/** The order of parties in requests and events (B-EVT-032 to B-EVT-034, B-CMP-014). */
import { createCanticle, type Canticle } from 'canticle';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

let canticle: Canticle;
let party: Record<string, string>;
let commands = 0;
beforeEach(() => {
  canticle = createCanticle();
  const hints = ['adam', 'bess', 'cleo', 'dora', 'emil', 'fred'];
  party = Object.fromEntries(hints.map((hint) => [hint, canticle.participant.allocateParty(hint)]));
});
afterEach(() => canticle.close());

async function post(path: string, body: object): Promise<any> {
  const request = new Request(`http://canticle${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await canticle.fetch(request)).json();
}

const ids = (...hints: string[]) => hints.map((hint) => party[hint]!);
const hints = (parties: readonly string[]) => parties.map((each) => each.split('::')[0]);
const wildcard = { identifierFilter: { WildcardFilter: { value: {} } } };
const of = (packageName: string) => ({
  identifierFilter: {
    TemplateFilter: { value: { templateId: `#${packageName}`, includeCreatedEventBlob: false } },
  },
});
const formatFor = (names: readonly string[], filter: object = wildcard) => ({
  filtersByParty: Object.fromEntries(names.map((each) => [party[each], { cumulative: [filter] }])),
  verbose: true,
});

const iou = (issuer: string, ...observers: string[]) => ({
  issuer: party[issuer],
  owner: party[issuer],
  currency: 'EUR',
  amount: '1.0',
  observers: ids(...observers),
});

async function created(eventFormat: object, issuer = 'adam', ...observers: string[]) {
  const command = {
    CreateCommand: { templateId: IOU, createArguments: iou(issuer, ...observers) },
  };
  const { transaction } = await post('/v2/commands/submit-and-wait-for-transaction', {
    commands: {
      commands: [command],
      commandId: `c${(commands += 1)}`,
      userId: 'u',
      actAs: ids(issuer),
    },
    transactionFormat: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
  });
  return transaction.events[0].CreatedEvent;
}

it('lists witnesses of an update in the order of the request, and sorts signatories and observers', async () => {
  const format = formatFor(['dora', 'adam', 'fred', 'cleo']);
  const event = await created(format, 'adam', 'dora', 'cleo');
  expect(hints(event.witnessParties)).toEqual(['dora', 'adam', 'cleo']);
  expect(hints(event.observers)).toEqual(['cleo', 'dora']);

  const updates = await post('/v2/updates', {
    beginExclusive: event.offset - 1,
    endInclusive: event.offset,
    updateFormat: {
      includeTransactions: {
        eventFormat: formatFor(['cleo', 'dora', 'adam']),
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    },
  });
  const [first] = updates[0].update.Transaction.value.events;
  expect(hints(first.CreatedEvent.witnessParties)).toEqual(['cleo', 'dora', 'adam']);
});

it('sorts witnesses of stored contracts', async () => {
  const { contractId, offset } = await created(formatFor(['adam']), 'adam', 'dora', 'cleo');
  const eventFormat = formatFor(['dora', 'cleo', 'adam']);
  const events = await post('/v2/events/events-by-contract-id', { contractId, eventFormat });
  expect(hints(events.created.createdEvent.witnessParties)).toEqual(['adam', 'cleo', 'dora']);
  const [active] = await post('/v2/state/active-contracts', {
    activeAtOffset: offset,
    eventFormat,
  });
  const { createdEvent } = active.contractEntry.JsActiveContract;
  expect(hints(createdEvent.witnessParties)).toEqual(['adam', 'cleo', 'dora']);
});

it('sorts witnesses if the request is for any party', async () => {
  const anyones = { filtersByParty: {}, filtersForAnyParty: { cumulative: [wildcard] } };
  const event = await created(anyones, 'adam', 'dora', 'cleo');
  expect(hints(event.witnessParties)).toEqual(['adam', 'cleo', 'dora']);
});

it('lists more than four witnesses in the order of their hashes', async () => {
  const all = ['adam', 'bess', 'cleo', 'dora', 'emil', 'fred'];
  const forwards = await created(formatFor(all), 'adam', ...all.slice(1));
  const backwards = await created(formatFor([...all].reverse()), 'adam', ...all.slice(1));
  expect(backwards.witnessParties).toEqual(forwards.witnessParties);
  expect([...forwards.witnessParties].sort()).toEqual(ids(...all));
  expect(forwards.witnessParties).not.toEqual(ids(...all));
  // Of those that witness, few as they are, the order is that of all that are asked for.
  const few = await created(formatFor(all), 'adam', 'dora', 'fred');
  expect(few.witnessParties).toEqual(
    forwards.witnessParties.filter((each: string) => ids('adam', 'dora', 'fred').includes(each)),
  );
});

it('lists a requested party as a witness, even if its own filter does not match', async () => {
  const filtersByParty = {
    [party['dora']!]: { cumulative: [of('canticle-test-token:Canticle.TestToken:Token')] },
    [party['adam']!]: { cumulative: [of('canticle-quickstart:Quickstart.Iou:Iou')] },
  };
  const event = await created({ filtersByParty, verbose: true }, 'adam', 'dora', 'cleo');
  // In the order of the templates: the first party wants an earlier template.
  expect(hints(event.witnessParties)).toEqual(['dora', 'adam']);
});

it('lists parties with a wildcard filter before parties with a template filter', async () => {
  const filtersByParty = {
    [party['dora']!]: { cumulative: [of('canticle-quickstart:Quickstart.Iou:Iou')] },
    [party['adam']!]: { cumulative: [wildcard] },
  };
  const event = await created({ filtersByParty, verbose: true }, 'adam', 'dora');
  expect(hints(event.witnessParties)).toEqual(['adam', 'dora']);
});

it('lists the acting parties of a completion and of a change id in the order of the submission', async () => {
  const command = { CreateCommand: { templateId: IOU, createArguments: iou('dora') } };
  const submission = {
    commands: [command],
    commandId: 'once',
    userId: 'u',
    actAs: ids('dora', 'adam', 'dora'),
  };
  await post('/v2/commands/submit-and-wait', submission);
  const completions = await post('/v2/commands/completions?limit=1', {
    beginExclusive: 0,
    userId: 'u',
    parties: ids('adam', 'dora'),
  });
  const { value } = completions[0].completionResponse.Completion;
  expect(hints(value.actAs)).toEqual(['dora', 'adam']);
  // The same parties in another order are the same change.
  const again = { ...submission, actAs: ids('adam', 'dora') };
  const { code, context } = await post('/v2/commands/submit-and-wait', again);
  expect(code).toBe('DUPLICATE_COMMAND');
  expect(context.changeId).toContain(`Set(${ids('adam', 'dora').join(', ')})`);
});
