/** The published schema, which editors use, accepts exactly the documents that parse as a scenario. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseScenario } from '../../src/scenario/document.js';
import { check, isUsualRun } from '../support/property.js';

const folder = join(__dirname, '../../scenarios');
const published = JSON.parse(readFileSync(join(folder, 'scenario.schema.json'), 'utf8'));
const fits = new Ajv({ strict: false }).compile(published);
const scenarios: readonly unknown[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => parse(readFileSync(join(folder, name), 'utf8')));

/** A change at a place: the value there is set or removed, or a value is added next to it. */
type Edit = { at: number } & ({ set: unknown } | { remove: true } | { add: [string, unknown] });

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every place of a document: what holds it, and under which key. */
function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (!isHolder(value)) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesOf(value[key])]);
}

const words = ['alice', '$iou', '5', 'PT1M', 'active', 'Ok', 'DAML_FAILURE', 'x:y:z', 'mint', ''];
const values = fc.oneof(
  fc.constantFrom<unknown>(...words, null, true, 0, -1, 7, 1.5),
  fc.constantFrom<unknown>([], {}, ['alice'], { party: 'alice' }, [{ contract: '$iou' }], [[]]),
);
const keys = ['as', 'to', 'by', 'with', 'refused', 'expect', 'repeat', 'steps', 'mint', 'nonsense'];
const changes = fc.oneof(
  fc.record({ at: fc.nat(), set: values }),
  fc.record({ at: fc.nat(), remove: fc.constant(true as const) }),
  fc.record({ at: fc.nat(), add: fc.tuple(fc.constantFrom(...keys), values) }),
);

function edited(scenario: unknown, edits: readonly Edit[]): unknown {
  const document = structuredClone(scenario);
  for (const edit of edits) {
    const places = placesOf(document);
    const { holder, key } = places[edit.at % places.length]!;
    if ('set' in edit) holder[key] = edit.set;
    else if ('add' in edit) {
      const [name, value] = edit.add;
      if (Array.isArray(holder)) holder.push(value);
      else holder[name] = value;
    } else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }
  return document;
}

it('a changed scenario is accepted if and only if it matches the schema', () => {
  const outcomes = { fits: 0, refused: 0 };
  check(
    fc.property(
      fc.nat(scenarios.length - 1),
      fc.array(changes, { minLength: 1, maxLength: 2 }),
      (index, edits) => {
        const text = JSON.stringify(edited(scenarios[index], edits));
        const expected = fits(JSON.parse(text));
        outcomes[expected ? 'fits' : 'refused']++;
        let message: string | undefined;
        try {
          parseScenario(text, 'file.json');
        } catch (error) {
          message = (error as Error).message;
        }
        expect([message === undefined, message]).toEqual([expected, message]);
        // A refusal always says where.
        if (message !== undefined) expect(message).toMatch(/^file\.json:\d+:\d+: /);
      },
    ),
    { numRuns: 150 },
  );
  if (isUsualRun) expect(Math.min(outcomes.fits, outcomes.refused)).toBeGreaterThan(25);
});
