/** Slips of the pen: the refusal is the real one, its explanation says what was probably meant, and showing it never fails. */
import fc from 'fast-check';
import { LedgerError } from 'canticle';
import { IOU, iouWorld } from '../../support/ledger.js';
import { check } from '../../support/property.js';
import { refusalOf } from './explained.js';

const { canticle, bank, alice, issue } = iouWorld();
const { participant, token } = canticle;
const iou = issue();
const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };
const options = { actAs: [bank, alice] };
const { issuer, ...unissued } = payload;

it.each([
  [
    'a template',
    () => participant.create('#canticle-quickstart:Quickstart.Iou:IOU', payload, options),
    'canticle-quickstart has no Quickstart.Iou:IOU. Did you mean Quickstart.Iou:Iou?',
  ],
  [
    'a package name without its #',
    () => participant.create('canticle-quickstart:Quickstart.Iou:Iou', payload, options),
    'What stands before the first colon is a package id. Of a name it is #canticle-quickstart.',
  ],
  [
    'a package name',
    () => participant.create('#canticle-quikstart:Quickstart.Iou:Iou', payload, options),
    'Did you mean #canticle-quickstart?',
  ],
  [
    'a template without its package',
    () => participant.create('Quickstart.Iou:Iou', payload, options),
    'Did you mean #canticle-quickstart:Quickstart.Iou:Iou?',
  ],
  [
    'a template without its module',
    () => participant.create('Iou', payload, options),
    'A template is named as #package-name:Module:Entity.',
  ],
  [
    'a choice',
    () => participant.exercise(IOU, iou, 'Iou_Splitt', {}, options),
    'It has no choice Iou_Splitt. Did you mean Iou_Split?',
  ],
  [
    'an additional field',
    () => participant.create(IOU, { ...payload, isuer: issuer }, options),
    'the record has no "isuer". Did you mean issuer?',
  ],
  [
    'the first of two additional fields',
    () => participant.create(IOU, { ...payload, isuer: issuer, nonsense: '' }, options),
    'the record has no "isuer", "nonsense". Did you mean issuer?',
  ],
  [
    'a field',
    () => participant.create(IOU, { ...unissued, isuer: issuer }, options),
    'missing issuer (there is "isuer")',
  ],
  [
    'a hint in place of a party',
    () => token.mint('alice', '1.0'),
    'alice is only the hint of a party. Use its whole id, as allocateParty returns it.',
  ],
])('%s', (_, action, meant) => {
  expect(refusalOf(action).explanation!.body()).toContain(meant);
});

it('reports it over HTTP too', async () => {
  const CreateCommand = { templateId: '#canticle-quikstart:A:B', createArguments: {} };
  const body = { commandId: 'c', actAs: [alice], commands: [{ CreateCommand }] };
  await canticle.handle({ path: '/v2/commands/submit-and-wait', body });
  const { explanation } = canticle.requests.list().at(-1)!;
  expect(explanation).toContain('Did you mean #canticle-quickstart?');
});

it.each([
  ['nothing', undefined, 'it is not said who acts. The last argument does: { actAs: alice }'],
  ['other options', { readAs: alice }, 'it is not said who acts'],
  ['no party', { actAs: [undefined] }, 'undefined is not a party id'],
])('requires acting parties: %s', (_, acting, message) => {
  const create = () => participant.create(IOU, payload, acting as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

it.each([undefined, { contractId: iou }])('requires a contract id: %j', (given) => {
  const exercise = () => participant.exercise(IOU, given as never, 'Iou_Split', {}, options);
  expect(exercise).toThrow(TypeError);
  expect(exercise).toThrow('is not a contract id.');
  expect(() => participant.archive(IOU, given as never, options)).toThrow('is not a contract id.');
});

it('the ledger rejects a submission without acting parties', () => {
  const create = () => participant.create(IOU, payload, { actAs: [] });
  expect(refusalOf(create).code).toBe('MISSING_FIELD');
});

it('accepts one party without an array', () => {
  const own = { ...payload, issuer: alice };
  expect(participant.create(IOU, own, { actAs: alice, readAs: bank })).toMatch(/^00/);
});

it('an error about any input has an explanation', () => {
  const odd = fc.oneof(
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc.string(),
  );
  const payloads = fc.record({
    issuer: fc.oneof(fc.constant(alice), odd),
    owner: fc.oneof(fc.constant(alice), odd),
    currency: fc.oneof(fc.constant('EUR'), odd),
    amount: fc.oneof(fc.constant('1.0'), odd),
    observers: fc.oneof(fc.constant([]), fc.array(odd), odd),
  });
  const start = canticle.snapshot();
  const outcomes = new Set<string>();
  check(
    fc.property(payloads, (sent) => {
      canticle.revert(start);
      try {
        participant.create(IOU, sent, { actAs: alice });
        outcomes.add('accepted');
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
        expect(error.stack).toContain(error.explanation!.body());
        expect(error.explanation!.toJSON().submission.actAs).toEqual([alice]);
        outcomes.add(error.code);
      }
    }),
    { numRuns: 200 },
  );
  expect([...outcomes]).toEqual(
    expect.arrayContaining(['INVALID_ARGUMENT', 'LEDGER_API_INTERNAL_ERROR']),
  );
});
