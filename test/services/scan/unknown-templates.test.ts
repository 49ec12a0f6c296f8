/** Contracts of templates that Scan's code does not know: what a DSO sees of them comes with the reason why (S-ENC-010). */
import { addPackages } from '../../../src/network/index.js';
import { d, definePackage, defineTemplate, Numeric } from '../../../src/daml/index.js';
import { SpliceWorld } from '../../support/splice/splice-world.js';

const Letter = defineTemplate({
  name: 'Post:Letter',
  fields: {
    from: d.party,
    to: d.party,
    weight: d.numeric(10),
    pages: d.list(d.int64),
    stamp: d.record('Post:Stamp', { price: d.optional(d.numeric(2)), series: d.optional(d.text) }),
    note: d.optional(d.text),
  },
  signatories: ({ from }) => [from],
  observers: ({ to }) => [to],
  choices: (choice) => ({
    Weigh: choice({
      argument: { by: d.party },
      result: d.numeric(10),
      controllers: (_letter, { by }) => [by],
      run: (_update, { payload }) => payload.weight,
    }),
  }),
});
const post = definePackage({ name: 'post', version: '1.0.0', templates: [Letter] });
const error = 'Could not find template companion for Post:Letter';

async function letterAsShown(scanSees: 'everything' | 'dso', toDso: boolean, encoding?: string) {
  const world = new SpliceWorld({ splice: { scanSees } });
  addPackages(world.participant, [post]);
  const [from, guest] = ['from', 'guest'].map((hint) => world.participant.allocateParty(hint));
  const to = toDso ? world.splice.dsoParty : guest!;
  const letter = {
    from: from!,
    to,
    weight: Numeric.of('2.5', 10),
    pages: [1n],
    stamp: { price: null, series: null },
  };
  const id = world.create([from!], Letter.id, { ...letter, note: null } as never);
  world.exercise([from!], Letter.id, id, 'Weigh', { by: from! });
  const query = { page_size: 10, ...(encoding && { daml_value_encoding: encoding }) };
  const { body } = (await world.post('/api/scan/v0/events', query)) as { body: any };
  const events = body.events.flatMap(({ update }: any) =>
    Object.values(update?.events_by_id ?? {}),
  );
  const of = (type: string) =>
    events.find((each: any) => each.event_type === type && each.template_id === Letter.id);
  const [created, exercised] = [of('created_event'), of('exercised_event')];
  return {
    letter,
    created: created.create_arguments,
    argument: exercised.choice_argument,
    result: exercised.exercise_result,
  };
}

test.each(['everything', 'dso'] as const)(
  'contracts of unknown templates show an error and records as lists if the DSO sees them, with a Scan that sees %s',
  async (scanSees) => {
    const { letter, created, argument, result } = await letterAsShown(scanSees, true);
    const { from, to } = letter;
    expect(created).toEqual({ error, value: [from, to, '2.5', ['1'], {}] });
    expect(argument).toEqual({ error, value: [from] });
    expect(result).toEqual({ error, value: '2.5' });
  },
);

test('contracts of unknown templates appear like others in a sandbox that sees more than the DSO', async () => {
  const { letter, created, result } = await letterAsShown('everything', false);
  expect(created).toEqual({ ...letter, weight: '2.5000000000', pages: ['1'], note: null });
  expect(result).toBe('2.5000000000');
});

test('contracts of unknown templates appear as protobuf_json without their code', async () => {
  const { created } = await letterAsShown('dso', true, 'protobuf_json');
  expect(created).toHaveProperty('record.fields');
});
