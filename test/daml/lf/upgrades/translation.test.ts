/** Values of one version's types as values of another's: what is refused, in whose words, and the laws of the rest. */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import { damlJson } from '../../../../src/testing/fast-check.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type EncodedPackage,
  type Fields,
} from '../../../support/daml/lf-encoder.js';
import { answer, type Refusal } from '../../../support/daml/lf-probe.js';
import { t } from '../../../support/daml/lf-types.js';
import { check, isUsualRun } from '../../../support/property.js';
import { boxes, READINGS, readingsPackage } from './upgrade-values.js';

/** "fails on non-well typed values" of the interpreter's ValueTranslatorSpec, and what its code has besides. */
describe('data whose type differs in another version', () => {
  const [one, other] = [readingsPackage('1.0.0', 'from'), readingsPackage('2.0.0', 'to')];
  const { participant } = createCanticle({ seed: 1 });
  for (const each of [one, other]) participant.uploadDar(buildDar(each, boxes));
  const owner = participant.allocateParty('alice');

  test.each(Object.entries(READINGS))('%s', (name, { value, ends }) => {
    const contract = participant.create(
      `${one.id}:${name}:T`,
      { owner, data: value },
      { actAs: owner },
    );
    const end = answer(() =>
      participant.exercise(`${other.id}:${name}:T`, contract, 'Touch', {}, { actAs: owner }),
    ) as Refusal;
    if (ends === 'success') expect(end).not.toHaveProperty('refused');
    else if (/^[A-Z_]+$/.test(ends)) expect(end.refused).toBe(ends);
    else {
      expect(end.refused).toBe('INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED');
      const [what, ...rest] = end.cause.split('\n');
      expect(what).toBe(
        `Interpretation error: Error: Translation of contract ${contract} to a value of type ${name}:T@${other.id.slice(0, 8)} fails.`,
      );
      expect(rest.slice(0, -2).join('\n')).toBe(
        `Reason: ${ends.replaceAll('Module:', `${name}:`)}`,
      );
      expect(rest.at(-2)).toBe(
        `The contract is purportedly an instance of ${name}:T@${one.id.slice(0, 8)}`,
      );
    }
  });
});

/** No upstream case: laws of the translation, over data of every kind. */
describe('data whose type a later version extends', () => {
  const [SHAPE, COLOR, PART] = [t.con('Main:Shape'), t.con('Main:Color'), t.con('Main:Part')];
  const scalars: Fields = {
    unit: t.unit,
    bool: t.bool,
    int: t.int64,
    numeric: t.numeric(3),
    text: t.text,
    date: t.date,
    time: t.timestamp,
    party: t.party,
    contract: t.contractId(t.con('Main:Thing')),
  };
  const thing = (number: number, isExtended: boolean) => {
    const THING = t.con('Main:Thing');
    const owners = e.list(t.party, [e.field(THING, 'owner', e.var('this'))]);
    const more: Fields = isExtended ? { more: t.optional(PART) } : {};
    const part: Fields = { shape: SHAPE, parts: t.list(PART), maybe: t.optional(t.text), ...more };
    const copy = {
      consuming: false,
      argument: t.unit,
      returns: t.contractId(THING),
      controllers: owners,
      update: u.create('Main:Thing', e.var('this')),
    };
    return encodePackage({
      name: 'things',
      version: `${number}.0.0`,
      modules: {
        Main: {
          types: {
            Color: { enum: isExtended ? ['Red', 'Green', 'Blue'] : ['Red', 'Green'] },
            Part: { record: part },
            Shape: {
              variant: {
                None: t.unit,
                Scalars: t.con('Main:Scalars'),
                Colors: t.genMap(COLOR, t.textMap(PART)),
                Part: PART,
                ...(isExtended && { New: t.int64 }),
              },
            },
            Scalars: { record: scalars },
          },
          templates: {
            Thing: {
              fields: { owner: t.party, part: PART, ...more },
              precondition: e.true,
              signatories: owners,
              choices: { Copy: copy },
            },
          },
        },
      },
    });
  };
  const versions = [thing(1, false), thing(2, true), thing(3, false)] as const;
  const { participant, network } = createCanticle({ seed: 1 });
  for (const each of versions) participant.uploadDar(buildDar(each));
  const owner = participant.allocateParty('alice');
  const payloadOf = (id: unknown) => network.contracts.get(id as string)!.instance.payload;
  const copied = ({ id }: EncodedPackage, contract: unknown): unknown =>
    participant.exercise(`${id}:Main:Thing`, contract as string, 'Copy', {}, { actAs: owner })
      .result;
  const pools = { parties: [owner] };

  test('does not change when it is converted to the same types, or to the extended types and back', () => {
    const [one, extended, same] = versions;
    const template = `${one.id}:Main:Thing`;
    const made = damlJson(participant, template, pools).map((payload) =>
      participant.create(template, { ...(payload as object), owner }, { actAs: owner }),
    );
    check(
      fc.property(made, (contract) => {
        const [there, elsewhere] = [copied(extended, contract), copied(same, contract)];
        expect(payloadOf(elsewhere)).toEqual(payloadOf(contract));
        expect(Object.keys(payloadOf(there))).toEqual(['owner', 'part', 'more']);
        expect(payloadOf(copied(one, there))).toEqual(payloadOf(contract));
      }),
      { numRuns: 30 },
    );
  });

  test('converts back if it has no new values', () => {
    const [one, extended] = versions;
    const template = `${extended.id}:Main:Thing`;
    const made = damlJson(participant, template, pools).map((payload) =>
      participant.create(template, { ...(payload as object), owner }, { actAs: owner }),
    );
    const outcomes = new Set<string>();
    check(
      fc.property(made, (contract) => {
        const back = answer(() => copied(one, contract));
        if (typeof back === 'string') {
          outcomes.add('copied');
          expect(payloadOf(copied(extended, back))).toEqual(payloadOf(contract));
        } else {
          outcomes.add((back as Refusal).refused);
          expect((back as Refusal).cause).toMatch(
            /index \d, may not be dropped|unknown constructor/,
          );
        }
      }),
      { numRuns: 60 },
    );
    if (isUsualRun)
      expect([...outcomes].sort()).toEqual([
        'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
        'copied',
      ]);
  });
});
