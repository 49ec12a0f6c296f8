/** Steps survive their form as JSON, and wrong JSON gets a clear error. */
import { Iou, quickstartPackage } from '../../src/daml/define/quickstart.js';
import { Numeric } from '../../src/daml/model/numeric.js';
import type { Command } from '../../src/daml/model/transaction.js';
import { StepCodec } from '../../src/fuzzing/model/step-json.js';
import type { Step, Submission } from '../../src/fuzzing/model/step.js';
import { ScriptPackages } from '../../src/script/packages.js';

const packages = new ScriptPackages([quickstartPackage]);
const codec = new StepCodec(packages, (action) =>
  action === 'Main:pay' ? { kind: 'party' } : undefined,
);
const templateId = `${quickstartPackage.id}:${Iou.templateId.split(':').slice(1).join(':')}`;
const payload = {
  issuer: 'bank',
  owner: 'bob',
  currency: 'EUR',
  amount: Numeric.of('1.5'),
  observers: ['alice'],
};
const split = { choice: 'Iou_Split', argument: { splitAmount: Numeric.of('-1') } };
const contractId = `00${'ab'.repeat(32)}`;
const submission = (...commands: readonly Command[]): Submission => ({
  actAs: ['bank', 'bob'],
  readAs: [],
  commands,
});

const create: Command = { kind: 'create', templateId, payload };
const exercise: Command = { kind: 'exercise', templateId, contractId, ...split };
const STEPS: readonly Step[] = [
  { kind: 'submit', number: 0, submission: { ...submission(create, exercise), readAs: ['alice'] } },
  {
    kind: 'race',
    number: 7,
    submissions: [
      submission(exercise),
      submission({ kind: 'createAndExercise', templateId, payload, ...split }),
    ],
  },
  { kind: 'advance', number: 8, micros: 3_600_000_000n },
  { kind: 'custom', number: 9, action: 'Main:pay', argument: 'bob' },
];

test.each(STEPS)('$kind', (step) => {
  const json = JSON.parse(JSON.stringify(codec.encode(step))) as unknown;
  expect(codec.decode(json)).toEqual(step);
});

test('templates have the name of their package', () => {
  expect(codec.encode(STEPS[0]!)).toEqual({
    number: 0,
    actAs: ['bank', 'bob'],
    readAs: ['alice'],
    commands: [
      { of: '#canticle-quickstart:Quickstart.Iou:Iou', create: expect.anything() },
      {
        of: '#canticle-quickstart:Quickstart.Iou:Iou',
        exercise: 'Iou_Split',
        on: contractId,
        with: { splitAmount: '-1.0000000000' },
      },
    ],
  });
});

const OF = '#canticle-quickstart:Quickstart.Iou:Iou';
const one = (command: object) => ({ number: 0, actAs: ['bob'], commands: [command] });

test.each<[unknown, string]>([
  ['text', 'A step must be an object: "text".'],
  [{ number: -1 }, 'The number of a step must be an integer from 0: -1.'],
  [{}, 'The number of a step must be an integer from 0: nothing.'],
  [{ number: 0, race: [] }, 'A race must have two submissions.'],
  [{ number: 0, actAs: ['bob'] }, 'A submission must have a list of commands.'],
  [
    { number: 0, actAs: 'bob', commands: [] },
    `The field 'actAs' must be a list of parties: "bob".`,
  ],
  [one({ of: OF }), 'A command must have `create` or `exercise`.'],
  [one({ create: {} }), `The field 'of' must be a text: nothing.`],
  [one({ of: '#none:A:B', create: {} }), 'There is no package of the template #none:A:B.'],
  [one({ of: `${OF}x`, create: {} }), `There is no template ${OF}x.`],
  [one({ of: OF, exercise: 'No', on: contractId }), `There is no choice No of ${OF}.`],
  [
    one({ of: OF, exercise: 'Iou_Split', with: { splitAmount: '1.0' } }),
    `The field 'on' must be a text: nothing.`,
  ],
  [
    one({ of: OF, exercise: 'Iou_Split', with: { splitAmount: '1.0' }, key: 1 }),
    `There is no key of ${OF}.`,
  ],
  [{ number: 0, action: 'Main:no', with: 1 }, 'There is no action Main:no.'],
])('rejects %j', (json, message) => {
  expect(() => codec.decode(json)).toThrow(message);
});

test('a wrong value gets the error of the ledger', () => {
  expect(() => codec.decode(one({ of: OF, create: { owner: 'bob' } }))).toThrow(/issuer|Missing/);
});
