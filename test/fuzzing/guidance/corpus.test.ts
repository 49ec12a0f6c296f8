/** Sequences of the corpus: renumbered steps, changes of values, and shapes of payloads. */
import fc from 'fast-check';
import { normaliseValue } from '../../../src/daml/codec/normalise.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import { Some, type DamlRecord } from '../../../src/daml/model/values.js';
import { Corpus, MAX_ENTRIES, renumbered } from '../../../src/fuzzing/guidance/corpus.js';
import { PayloadShape } from '../../../src/fuzzing/guidance/payload-shape.js';
import { Hints, MAX_HINTS, steered } from '../../../src/fuzzing/guidance/steering.js';
import { ComparisonRecorder } from '../../../src/daml/lf/probing/comparison-recorder.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { changed } from '../../../src/fuzzing/values/changes.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { ValueSource } from '../../../src/fuzzing/values/values.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { damlType, typesPackage } from '../../support/daml/arbitrary-daml.js';
import { modelId } from '../../support/daml/model-package.js';
import { check } from '../../support/property.js';
import { create, exercise, packages, submit } from '../models.js';

const start = plainStart(['alice', 'bob']);
const dummy = create('Dummy', { operator: 'alice' });

it('renumbers steps together with the ids of their contracts', () => {
  const ledger = new FuzzLedger(packages, start);
  ledger.run(submit(0, ['alice'], dummy));
  const [first] = [...ledger.active()];
  const steps = [
    submit(0, ['alice'], dummy),
    submit(1, ['alice'], exercise('Dummy', first!.contractId, 'Clone')),
  ];
  const own = renumbered(steps, 40);
  expect(own.map(({ number }) => number)).toEqual([40, 41]);
  const other = new FuzzLedger(packages, start);
  for (const step of own) expect(other.run(step).submitted[0]!.error).toBeUndefined();
  expect([...other.active()]).toHaveLength(2);
});

it('changes values to values of the same type', () => {
  check(
    fc.property(damlType, fc.string(), (type, seed) => {
      const ledger = new FuzzLedger(new ScriptPackages([typesPackage]), start);
      const values = new ValueSource(new Random(seed), ledger);
      let value = values.make(type);
      for (let times = 0; times < 5; times++) {
        value = changed(values, ledger.packages, type, value);
        expect(normaliseValue(ledger.packages, type, value)).toEqual(value);
      }
    }),
  );
});

it('replaces the oldest sequence at the limit', () => {
  expect(MAX_ENTRIES).toBe(5_000);
  const corpus = new Corpus();
  const entry = (number: number) => ({ steps: [submit(number, [], dummy)], isOfCode: true });
  for (let number = 0; number < MAX_ENTRIES; number++) corpus.add(entry(number));
  expect(corpus.all()[0]).toEqual(entry(0));
  corpus.add(entry(MAX_ENTRIES));
  expect(corpus.size).toBe(MAX_ENTRIES);
  expect(corpus.all()[0]).toEqual(entry(1));
});

describe('the shape of payloads', () => {
  const payload = (number: bigint, note: string | null): DamlRecord => ({
    operator: 'alice',
    number,
    note: note === null ? null : new Some(note),
  });
  const fresh = (...payloads: readonly DamlRecord[]) => {
    const shape = new PayloadShape(packages, modelId('WithParam'));
    return payloads.map((each) => shape.see(each, 0n));
  };

  it('has buckets of numbers, and optionals', () => {
    const none = fresh(payload(4n, null), payload(5n, null), payload(-4n, null), payload(5n, ''));
    // A number, an unset optional and the roles; nothing; a negative number; a set optional and its empty text.
    expect(none).toEqual([3, 0, 1, 2]);
  });

  it('has the parties that coincide', () => {
    const shape = new PayloadShape(packages, modelId('TriAgreement'));
    const roles = (operator: string, receiver: string, giver: string) =>
      shape.see({ operator, receiver, giver }, 0n);
    expect([
      roles('a', 'b', 'c'),
      roles('c', 'a', 'b'),
      roles('a', 'a', 'b'),
      roles('a', 'b', 'a'),
    ]).toEqual([1, 0, 1, 1]);
  });
});

describe('hints', () => {
  const comparison = { operator: 'EQUAL', type: 'Int64', text: '' };
  const withNumber = (number: number, value: bigint): Step =>
    submit(
      number,
      ['alice'],
      create('WithParam', { operator: 'alice', number: value, note: null }),
    );
  function hints(type: string, ...operands: readonly (readonly [unknown, unknown])[]) {
    const recorder = new ComparisonRecorder(1_000);
    const made = new Hints(recorder, [{ ...comparison, type } as never]);
    made.begin();
    return (steps: readonly Step[], now = 0n) => {
      for (const step of steps.slice(0, -1)) made.of(step, now, true);
      for (const [left, right] of operands) recorder.compare(0, left, right);
      return made.of(steps.at(-1)!, now, true);
    };
  }
  const numberIn = (step: Step) =>
    step.kind === 'submit' && step.submission.commands[0]!.kind === 'create'
      ? step.submission.commands[0]!.payload['number']
      : undefined;

  const numberOf = (step: Step) =>
    step.kind === 'submit' && step.submission.commands[0]!.kind === 'create'
      ? String(step.submission.commands[0]!.payload['amount'])
      : '';

  it('put the other operand in place of a value', () => {
    const step = withNumber(0, 7n);
    const found = hints('Int64', [7, 4711])([step]);
    const values = found.map((hint) =>
      hint.kind === 'replace' ? numberIn(steered(step, hint, new Random(''))) : undefined,
    );
    expect(values).toEqual([4711n, 4710n, 4712n]);
  });

  it('change an earlier step that has the value', () => {
    const found = hints('Int64', [7, 4711])([withNumber(3, 7n), withNumber(4, 8n)]);
    expect(found.map(({ step }) => step)).toEqual([3, 3, 3]);
  });

  it('wait for a later time', () => {
    const step = withNumber(0, 7n);
    expect(hints('Timestamp', [50, 90])([step], 50n)).toEqual([
      { kind: 'wait', step: 0, micros: 40n },
    ]);
  });

  it('are those of the last comparisons, up to the limit', () => {
    expect(MAX_HINTS).toBe(30);
    const operands = Array.from({ length: MAX_HINTS }, (_, n) => [7, 1_000 + n] as const);
    const found = hints('Int64', ...operands)([withNumber(0, 7n)]);
    expect(found).toHaveLength(MAX_HINTS);
    expect(found[0]).toMatchObject({ to: BigInt(1_000 + MAX_HINTS - 1) });
  });

  it('of texts, parties and dates are exact', () => {
    const step = submit(0, ['alice'], create('Coin', { owner: 'alice', label: 'x' }));
    const found = hints('Text', ['x', 'secret'])([step]);
    expect(found).toEqual([{ kind: 'replace', step: 0, from: 'x', to: 'secret', by: 0n }]);
    expect(hints('Party', ['alice', 'bob'])([step])).toHaveLength(1);
  });

  it('leave a number as it is at the end of its type', () => {
    const { length } = String(10n ** 37n);
    expect(length).toBe(38);
    const most = Numeric.fromUnscaled(10n ** 38n - 1n, 0);
    const step = submit(0, ['alice'], {
      kind: 'create',
      templateId: 'x:y:z',
      payload: { amount: Numeric.fromUnscaled(7n, 0) },
    });
    const values = hints('Numeric', [Numeric.fromUnscaled(7n, 0), most])([step]).map((hint) =>
      hint.kind === 'replace' ? numberOf(steered(step, hint, new Random(''))) : '',
    );
    expect(values).toEqual([
      String(most),
      String(Numeric.fromUnscaled(10n ** 38n - 2n, 0)),
      String(most),
    ]);
    const largest = 2n ** 63n - 1n;
    const whole = withNumber(0, 7n);
    const ints = hints('Int64', [7, largest])([whole]).map((hint) =>
      hint.kind === 'replace' ? numberIn(steered(whole, hint, new Random(''))) : undefined,
    );
    expect(ints).toEqual([largest, largest - 1n, largest]);
  });

  it('are tried for each comparison a number of times, unless they are new', () => {
    const recorder = new ComparisonRecorder(10_000);
    const made = new Hints(recorder, [comparison as never]);
    const count = (isNew: boolean) => {
      made.begin();
      recorder.compare(0, 7, 1_000);
      return made.of(withNumber(0, 7n), 0n, isNew).length;
    };
    const counts = Array.from({ length: 12 }, () => count(false));
    expect(counts).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0]);
    expect(count(true)).toBe(3);
  });

  it('are tried 30 times for a comparison of texts', () => {
    const recorder = new ComparisonRecorder(1_000);
    const made = new Hints(recorder, [{ ...comparison, type: 'Text' } as never]);
    const step = submit(0, ['alice'], create('Coin', { owner: 'alice', label: 'x' }));
    const counts = Array.from({ length: 32 }, () => {
      made.begin();
      recorder.compare(0, 'x', 'secret');
      return made.of(step, 0n, false).length;
    });
    expect(counts).toEqual([...Array.from({ length: 30 }, () => 1), 0, 0]);
  });

  it('know numerics of other scales', () => {
    const step = submit(0, ['alice'], {
      kind: 'create',
      templateId: 'x:y:z',
      payload: { amount: Numeric.of('1.5', 10) },
    });
    const [hint] = hints('Numeric', [Numeric.of('1.5', 2), Numeric.of('2.25', 2)])([step]);
    const after = steered(step, hint as never, new Random(''));
    expect(after).toMatchObject({
      submission: { commands: [{ payload: { amount: Numeric.of('2.25', 10) } }] },
    });
  });
});
