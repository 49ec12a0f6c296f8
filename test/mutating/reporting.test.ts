/** The report of a mutation run: its order, its score, its texts, and the lines of mutants in the source. */
import type { Mutant } from '../../src/mutating/operators/mutant.js';
import {
  mutationReport,
  type MutationReport,
  type Outcome,
} from '../../src/mutating/reporting/mutation-report.js';
import { reportHtml } from '../../src/mutating/reporting/report-html.js';
import { reportText } from '../../src/mutating/reporting/report-text.js';
import { SourceLines } from '../../src/mutating/reporting/source-lines.js';
import { oneLine, type Status } from '../../src/mutating/running/verdict.js';

const ID = 'a1'.repeat(32);
const SOURCE = `module Main where

template Offer
  with
    seller : Party
  where
    signatory seller
    ensure price > 0
    choice Accept : ()
      controller seller
      do
        assert (price < 7)
        pure (price + 1)

total : Int -> Int
total n =
  n + 3

template Quote
  with
    buyer : Party
  where
    signatory buyer
`;

const lines = new SourceLines([[ID, 'Main', SOURCE]]);
/** The line of a mutant in a definition without a position. */
const lineOf = (owner: string, name: string, before = '', module = 'Main') =>
  lines.lineOf({ at: undefined, before, definition: { lf: { id: ID } } } as Mutant, {
    module,
    owner,
    name,
  });

describe('the line of a mutant', () => {
  it('is that of the keyword, for a part of a template', () => {
    expect(lineOf('Offer', 'signatories')).toBe(7);
    expect(lineOf('Offer', 'precondition')).toBe(8);
    expect(lineOf('Quote', 'signatories')).toBe(23);
  });

  it('is that of the template without the keyword', () => {
    expect(lineOf('Offer', 'observers')).toBe(3);
    // The keyword of the next template does not count.
    expect(lineOf('Offer', 'agreement')).toBe(3);
    expect(lineOf('Quote', 'precondition')).toBe(19);
  });

  it('is the only one of a choice or a function with the words of the code', () => {
    expect(lineOf('Offer', 'Accept', 'price < 7')).toBe(12);
    expect(lineOf('Offer', 'Accept', 'price + 1')).toBe(13);
    expect(lineOf('', 'total', 'n + 3')).toBe(17);
  });

  it('is the first one of the choice or the function if no line or several have them', () => {
    expect(lineOf('Offer', 'Accept', 'price')).toBe(9);
    expect(lineOf('Offer', 'Accept', 'amount')).toBe(9);
    expect(lineOf('', 'total', 'm')).toBe(15);
  });

  it('is that of the controllers of a choice', () => {
    expect(lineOf('Offer', 'Accept controllers')).toBe(10);
    expect(lineOf('Offer', 'Accept observers')).toBe(9);
  });

  it('is unknown without the source or the definition', () => {
    expect(lineOf('Bid', 'signatories')).toBeUndefined();
    expect(lineOf('', 'sum', 'n')).toBeUndefined();
    expect(lineOf('Offer', 'signatories', '', 'Other')).toBeUndefined();
  });

  it('is the position in the archive, if that is in the same module', () => {
    const at = { module: 'Main', line: 4, column: 1 };
    const source = { module: 'Main', owner: 'Offer', name: 'signatories' };
    const mutant = { at, before: '', definition: { lf: { id: ID } } } as Mutant;
    expect(lines.lineOf(mutant, source)).toBe(4);
    expect(lines.lineOf({ ...mutant, at: { ...at, module: 'DA.List' } }, source)).toBe(7);
  });
});

/** A report about mutants with these statuses, in the definition and at the position that each has. */
function reportOf(
  rows: readonly (readonly [Status, definition: string, line: number | undefined])[],
): MutationReport {
  const outcomes = rows.map(([status, name, line], place): Outcome => {
    const mutant = {
      number: place + 1,
      key: `Main:${name}#${place}`,
      operator: 'comparison',
      definition: { lf: { id: ID, name: 'offers' } },
      at: line === undefined ? undefined : { module: 'Main', line, column: 1 },
      before: `a < ${place}`,
      after: `a <= ${place}`,
    } as Mutant;
    return { mutant, verdict: { status }, tests: status === 'not reached' ? [] : ['Main:test'] };
  });
  const mutation = {
    sourceOf: ({ key }: Mutant) => {
      const [owner = '', name = ''] = key.slice('Main:'.length).split(/[#.]/);
      return { module: 'Main', owner, name };
    },
  };
  const packages = [{ name: 'offers', version: '1.0.0', id: ID }];
  return mutationReport(mutation, packages, [{ name: 'Main:test' }], outcomes, lines);
}

describe('a report', () => {
  it('has survivors first, then by line', () => {
    const { mutants, counts } = reportOf([
      ['killed', 'Offer.Accept', 12],
      ['survived', 'Offer.Accept', 13],
      ['not reached', 'Offer.Accept', 9],
      ['undecided', 'Offer.Accept', 10],
      ['survived', 'Offer.Accept', 12],
      ['timeout', 'Offer.Accept', 11],
    ]);
    expect(mutants.map(({ status, line }) => `${status} ${line}`)).toEqual([
      ...['survived 12', 'survived 13', 'undecided 10'],
      ...['not reached 9', 'timeout 11', 'killed 12'],
    ]);
    expect(counts).toEqual({ survived: 2, undecided: 1, 'not reached': 1, timeout: 1, killed: 1 });
  });

  it('has the share of reached mutants that a test noticed as its score', () => {
    const score = (...statuses: readonly Status[]) =>
      reportOf(statuses.map((status) => [status, 'Offer.Accept', 9])).score;
    expect(score('killed', 'timeout', 'survived', 'undecided', 'not reached')).toBe(50);
    expect(score('not reached')).toBe(100);
    expect(score('survived')).toBe(0);
  });

  it('lists survivors and undecided mutants by their place as text', () => {
    const text = reportText(
      reportOf([
        ['survived', 'Offer.Accept', 12],
        ['survived', 'Offer.Accept', 13],
        ['killed', 'Offer.Accept', 9],
        ['undecided', 'Bid.Take', undefined],
      ]),
    );
    expect(text.split('\n')).toEqual([
      'offers 1.0.0: 4 mutants, 1 test',
      '',
      'Survived: 2 (no test noticed it)',
      '  Main: Offer Accept',
      '    12: a < 0 → a <= 0 (comparison, 1 test)',
      '    13: a < 1 → a <= 1 (comparison, 1 test)',
      '',
      'Undecided: 1 (the ledger stays the same: tests lack the inputs, or there is no difference)',
      '  Main: Bid Take',
      '    a < 3 → a <= 3 (comparison, 1 test)',
      '',
      'Killed: 1 (a test failed)',
      '',
      'Score: 25.0 % (tests noticed 1 of the 4 mutants that they reach)',
      '',
    ]);
  });

  it('shows each mutant at its line as HTML, and those without one in a list', () => {
    const html = reportHtml(
      reportOf([
        ['survived', 'Offer.Accept', 12],
        ['undecided', 'Bid.Take', undefined],
      ]),
      lines,
    );
    expect(html).toContain('<li>Main: Offer Accept, line 12: <span class="survived"');
    expect(html).toContain('<li>Main: Bid Take: <span class="undecided"');
    expect(html).toContain('<tr class="survived"><td class="n">12</td>');
    expect(html.match(/<tr class=/g)).toHaveLength(1);
    expect(html).toContain('a &#60; 0 → a &#60;= 0');
    expect(html).toContain('<details open>');
    expect(html).toContain('Main: 2 mutants, 1 survived');
  });
});

it('cuts a reason of more than 200 characters', () => {
  expect(oneLine(`${'x'.repeat(100)}\n ${'y'.repeat(99)} `)).toHaveLength(200);
  expect(oneLine(`${'x'.repeat(100)}\n ${'y'.repeat(100)}`)).toBe(
    `${'x'.repeat(100)} ${'y'.repeat(98)}…`,
  );
});
