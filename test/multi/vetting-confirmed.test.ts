/** Confirming participants check the vetting of packages again, by the topology at the sequencing (B-VET-024). */
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';

const NOTE = {
  fields: { owner: d.party, reader: d.party },
  signatories: (it: { owner: string }) => [it.owner],
  observers: (it: { reader: string }) => [it.reader],
};
const Note = defineTemplate({ ...NOTE, name: 'Main:Note' });
const Book = defineTemplate({
  name: 'Main:Book',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    Write: choice({
      argument: { reader: d.party },
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.owner],
      run: (update, { payload }, { reader }) => {
        update.create(Note, { owner: payload.owner, reader });
        return {};
      },
    }),
  }),
});
const books = definePackage({ name: 'books', version: '1.0.0', templates: [Note, Book] });

const Pad = defineTemplate({ ...NOTE, name: 'Main:Pad' });
const pads = definePackage({ name: 'pads', version: '1.0.0', templates: [Pad] });

/** Milliseconds from the submission to its ledger time. */
const LATER = 400;
/** The clock of the machine moves only when a test moves it. */
beforeEach(() => {
  const real = ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime'] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
});

const opened: Canticle[] = [];
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** @param unvetting the participant that unvets the package while the submission waits for its ledger time */
async function sent(
  protocolVersion: 34 | 35 | 36,
  unvetting: 'here' | 'there' | 'nobody',
  unvetted = [books.id],
) {
  const canticle = createCanticle({
    canton: '3.6',
    clock: 'wall',
    protocolVersion,
    participants: ['here', 'there'],
    packages: [books, pads],
  });
  opened.push(canticle);
  const [here, there] = canticle.participants;
  const alice = here!.allocateParty('alice');
  const bob = there!.allocateParty('bob');
  const book = here!.create(Book, { owner: alice }, { actAs: [alice] });
  const createArguments = { owner: alice, reader: bob };
  const pad = { CreateCommand: { templateId: '#pads:Main:Pad', createArguments } };
  const answer = canticle.handle({
    path: '/participants/here/v2/commands/submit-and-wait',
    body: {
      commands: [
        {
          ExerciseCommand: {
            templateId: '#books:Main:Book',
            contractId: book,
            choice: 'Write',
            choiceArgument: { reader: bob },
          },
        },
        ...(unvetted.includes(pads.id) ? [pad] : []),
      ],
      commandId: 'c',
      userId: 'tester',
      actAs: [alice],
      minLedgerTimeAbs: new Date(Date.now() + LATER).toISOString(),
    },
  });
  if (unvetting !== 'nobody') {
    const { status } = await canticle.handle({
      path: `/participants/${unvetting}/v2/package-vetting/update`,
      body: {
        changes: [
          {
            operation: {
              Unvet: { value: { packages: unvetted.map((packageId) => ({ packageId })) } },
            },
          },
        ],
      },
    });
    expect(status).toBe(200);
  }
  jest.advanceTimersByTime(LATER);
  const { status, json } = await answer;
  const [entry] = canticle.requests.list({ operation: 'postV2CommandsSubmit-and-wait' });
  const { explanation = '' } = entry ?? {};
  return { status, explanation, ...(json() as { code?: string; cause?: string }) };
}

/** A failed model conformance check is an alarm: clients do not see its text. */
const REFUSED = {
  status: 400,
  code: 'NA',
  cause: 'A security-sensitive error has been received',
};

describe.each([34, 35, 36] as const)('on protocol version %d', (version) => {
  it('a transaction is confirmed while all have vetted its packages', async () => {
    expect((await sent(version, 'nobody')).status).toBe(200);
  });

  it('the participant of an informee of the whole transaction must still have vetted them', async () => {
    expect(await sent(version, 'here')).toMatchObject(REFUSED);
  });
});

test.each([34, 35] as const)(
  'protocol version %d does not check the participant of an informee of a part (R-36-069)',
  async (version) => {
    expect((await sent(version, 'there')).status).toBe(200);
  },
);

test('the journal names one missing package alone, and several as a set', async () => {
  const short = ({ id }: { id: string }): string => id.slice(0, 8);
  const one = await sent(36, 'there', [books.id]);
  expect(one.explanation).toMatch(new RegExp(`has not vetted ${short(books)}`));
  const both = await sent(36, 'there', [books.id, pads.id]);
  expect(both.explanation).toMatch(/has not vetted Set\(/);
  for (const each of [books, pads]) expect(both.explanation).toContain(short(each));
});

test('protocol version 36 checks it too (R-36-069)', async () => {
  expect(await sent(36, 'there')).toMatchObject(REFUSED);
});
