/** Contracts of three templates for every set of three parties, and which of them a combination of filters shows. */
import { byTemplate, wildcard, type LedgerApi, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';

const TEMPLATES = ['TriAgreement', 'TriProposal', 'WithObservers'];
const STAKEHOLDERS = [[0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]];

/**
 * Filters for three parties, and for any party: none (`-`), wildcard (`*`), or templates by their index. First without filters
 * for any party, then with them.
 */
const COMBINATIONS = [
  ...['* - - -', '0 - - -', '1 - - -', '2 - - -', '01 - - -', '02 - - -', '12 - - -', '012 - - -'],
  ...['* * - -', '* - * -', '* * * -', '0 1 - -', '0 1 2 -', '01 02 - -', '01 02 12 -'],
  ...['* 0 - -', '* 0 12 -'],
  ...['- - - *', '- - - 0', '- - - 1', '- - - 2', '- - - 01', '- - - 02', '- - - 12', '- - - 012'],
  ...['- * - *', '* - - *', '* - * *', '- 1 - 0', '0 - - 1', '0 1 - 2', '01 - - 02', '- 02 12 01'],
  ...['- 0 - *', '* - - 0', '- 0 12 *', '* - 12 0', '* 0 - 12'],
];

/** @param shown created events of these contracts, by an event format */
export async function expectFilterCombinations(
  api: LedgerApi,
  parties: readonly string[],
  shown: (format: JsonAnswer) => Promise<JsonAnswer[]>,
): Promise<void> {
  const made: { id: string; template: number; stakeholders: number[] }[] = [];
  for (const stakeholders of STAKEHOLDERS)
    for (const [template, name] of TEMPLATES.entries()) {
      const actAs = stakeholders.map((at) => parties[at]!);
      const [operator, receiver = operator, giver = receiver] = actAs;
      const payload =
        name === 'WithObservers'
          ? { giver: operator, observers: actAs }
          : { operator, receiver, giver };
      made.push({ id: await api.create(model(name), payload, { actAs }), template, stakeholders });
    }
  for (const combination of COMBINATIONS) {
    const wants = combination.split(' ');
    const selects = (at: number, template: number) =>
      wants[at] === '*' || wants[at]!.includes(String(template));
    const expected = made.filter(
      ({ template, stakeholders }) =>
        selects(3, template) || stakeholders.some((at) => selects(at, template)),
    );
    const found = (await shown(formatOf(wants, parties))).map(({ contractId }) => contractId);
    expect({ combination, found }).toEqual({ combination, found: expected.map(({ id }) => id) });
  }
}

function formatOf(wants: readonly string[], parties: readonly string[]) {
  const filters = wants.map((want) =>
    want === '*'
      ? { cumulative: [wildcard()] }
      : { cumulative: [...want].map((at) => byTemplate(model(TEMPLATES[Number(at)]!))) },
  );
  const requested = [...parties.entries()].filter(([at]) => wants[at] !== '-');
  return {
    filtersByParty: Object.fromEntries(requested.map(([at, party]) => [party, filters[at]])),
    ...(wants[3] !== '-' && { filtersForAnyParty: filters[3] }),
    verbose: true,
  };
}
