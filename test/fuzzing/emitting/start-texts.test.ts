/** Texts of bugs that need a start state: the result of a script, advances of the time, and actions of a test. */
import { asDamlScript } from '../../../src/fuzzing/emitting/daml-script.js';
import { reproduce, type ReproducedBug } from '../../../src/fuzzing/emitting/reproduce.js';
import type { Origin } from '../../../src/fuzzing/emitting/reproduction.js';
import { asScenario } from '../../../src/fuzzing/emitting/scenario.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart, startOf } from '../../../src/fuzzing/ledger/start-state.js';
import type { Check } from '../../../src/fuzzing/model/finding.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { create, exercise, packages, submit } from '../models.js';

const PARTIES = ['Alice', 'Bob'];

/** A start state with two contracts of Alice. */
function founded() {
  const start = plainStart(PARTIES);
  const ledger = new FuzzLedger(packages, start);
  const dummy = create('Dummy', { operator: 'Alice' });
  const noted = create('WithParam', { operator: 'Alice', number: 7n, note: null });
  ledger.run(submit(0, ['Alice'], dummy, noted));
  return startOf({ ...start, contracts: [...ledger.active()] });
}
const start = founded();
const [dummy] = start.contracts;

/** Finds each sequence wrong whose last step is the clone of a contract, an advance or an action. */
const last: Check = {
  name: 'last-step',
  summary: 'The last step.',
  start: () => ({
    *afterStep({ step }) {
      if (step.number === 9) yield { check: 'last-step', place: 'end', message: 'It ends.' };
    },
  }),
};

const mine = {
  name: 'mine',
  argument: { kind: 'int64' } as const,
  act: () => {
    throw new Error('It failed for Alice.');
  },
};

function reproduced(steps: readonly Step[], origin: Origin = { kind: 'parties' }): ReproducedBug {
  const finding = { check: 'last-step', place: 'end', message: 'It ends.' };
  return reproduce(
    { finding, steps, sequence: 0, times: 1 },
    {
      ...{ packages, start, checks: [last], dars: ['model.dar'], origin },
      ledger: { actions: new Map([['mine', mine]]) },
    },
  );
}
const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());

const clone = submit(9, ['Alice'], exercise('Dummy', dummy!.contractId, 'Clone'));

describe('after a setup script', () => {
  const { reproduction, story } = reproduced([clone], { kind: 'script', name: 'Setup:world' });

  it('the Daml script runs the setup, and finds its parties and contracts', () => {
    const lines = linesOf(asDamlScript(reproduction, 'Reproductions.Last'));
    for (const line of [
      'import qualified Setup',
      'import DA.List (find)',
      'import DA.Optional (fromSome)',
      '_ <- Setup.world',
      'known <- listKnownParties',
      'let alice = (fromSome (find (\\each -> partyToText each.party == "Alice") known)).party',
      'let bob = (fromSome (find (\\each -> partyToText each.party == "Bob") known)).party',
    ])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line.includes('allocateParty'))).toEqual([]);
    expect(lines.filter((line) => line.includes('queryFilter'))).toHaveLength(1);
  });

  it('the scenario runs the setup, and finds the contract', () => {
    const lines = linesOf(asScenario(reproduction));
    expect(lines).toContain('- { script: Setup:world }');
    expect(lines.filter((line) => line.includes('find:'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('parties:'))).toEqual([]);
  });

  it('the story has the contracts that a step mentions, and no others', () => {
    const at = story.indexOf('Before the first step:');
    expect(story.slice(at, at + 3)).toEqual([
      'Before the first step:',
      '  dummy1 is Dummy { operator: alice }',
      '',
    ]);
  });
});

describe('a step without commands', () => {
  it('advances the time', () => {
    const { reproduction, story } = reproduced([{ kind: 'advance', number: 9, micros: 3n }]);
    expect(linesOf(asDamlScript(reproduction, 'R.Last'))).toContain('passTime (microseconds 1)');
    expect(linesOf(asDamlScript(reproduction, 'R.Last'))).toContain(
      'import DA.Time (microseconds)',
    );
    expect(linesOf(asScenario(reproduction))).toContain('- { advance: PT0.000001S }');
    expect(story.at(-1)).toMatch(/^ {2}1\. {2}time advances by/);
  });

  it('calls an action of the test, whose failure the story tells', () => {
    const { reproduction, story } = reproduced([
      { kind: 'custom', number: 9, action: 'mine', argument: 3n },
    ]);
    expect(story.slice(-2)).toEqual(['  1.  the action mine', '      It failed for alice.']);
    expect(linesOf(asScenario(reproduction))).toContain(
      '# Here the fuzzer ran the action mine of the test.',
    );
    expect(linesOf(asDamlScript(reproduction, 'R.Last'))).toContain(
      '-- mine: run this action of the test here.',
    );
  });

  it('names the test that shows the bug', () => {
    const { reproduction } = reproduced([clone]);
    expect(asScenario(reproduction, [], 'last-step.test.js')).toContain(
      '# A scenario cannot check this: last-step.test.js shows it.',
    );
    expect(asDamlScript(reproduction, 'R.Last', 'last-step.test.js')).toContain(
      '-- Daml Script cannot check this: last-step.test.js shows it.',
    );
    expect(asScenario(reproduction)).toContain('the emitted test shows it.');
  });
});

describe('a trace', () => {
  const traced = (...steps: readonly Step[]) =>
    reproduced(steps).story.includes('The last step in detail:');

  it('is that of the last step, if it has a submission', () => {
    expect(traced(clone)).toBe(true);
    expect(traced({ kind: 'advance', number: 9, micros: 1n })).toBe(false);
    expect(traced({ kind: 'custom', number: 9, action: 'mine', argument: 3n })).toBe(false);
  });
});

describe('a contract that a party should not see', () => {
  const { reproduction } = reproduced([clone]);
  const hidden = (...from: readonly string[]) => ({
    ...reproduction,
    finding: {
      ...reproduction.finding,
      assertion: {
        kind: 'hidden' as const,
        contract: { ...dummy!, observers: ['Bob'] },
        from,
      },
    },
  });

  it('is hidden from it in the scenario', () => {
    expect(linesOf(asScenario(hidden('Bob')))).toContain(
      '- { expect: { contract: $dummy1, hiddenFrom: [bob] } }',
    );
  });

  it('is not found by a stakeholder in the Daml script, which cannot tell about witnesses', () => {
    const lines = linesOf(asDamlScript(hidden('Bob'), 'R.Hidden'));
    expect(lines).toContain('seen1 <- queryContractId bob dummy1');
    expect(lines).toContain('seen1 === None');
    for (const from of [['Carol'], ['Bob', 'Carol'], ['Carol', 'Bob']]) {
      const other = linesOf(asDamlScript(hidden(...from), 'R.Hidden'));
      expect(other.filter((line) => line.includes('queryContractId'))).toEqual([]);
      expect(other).toContain('-- Daml Script cannot check this: the emitted test shows it.');
    }
  });
});
