/** The order in which a creation runs its template's code and checks (upstream EvaluationOrderTest, `create`, `create by interface`). */
import { e, u } from '../../../support/daml/lf-code.js';
import { t } from '../../../support/daml/lf-types.js';
import {
  arg,
  BOB,
  createHuman,
  createItem,
  human,
  HUMAN,
  ITEM_ID,
  noParties,
  orderOf,
  OTHER,
  PERSON,
  type Row,
} from './model.js';

type Parts = Parameters<typeof createItem>[0];
const byTemplate = (parts?: Parts): Row => ({ type: ITEM_ID, update: createItem(parts) });
const byInterface = (parts?: Parts): Row => ({
  type: t.contractId(PERSON),
  update: u.createInterface(
    'Main:Person',
    e.toInterface('Main:Person', 'Main:Human', human(parts)),
  ),
});
const BOTH = { Template: byTemplate, Interface: byInterface };

const ALL = 'precondition, signatories, observers';
const WITH_KEY = `${ALL}, key, maintainers`;

type Case = readonly [parts: Parts, end: string, log: string];
const CASES: Readonly<Record<string, Case>> = {
  Success: [{}, 'done', ALL],
  FailedPrecondition: [{ ensure: false }, 'TEMPLATE_PRECONDITION_VIOLATED', 'precondition'],
  ArgumentTooDeep: [{ depth: 100 }, 'VALUE_NESTING', ALL],
  FailedPreconditionOfWhatIsTooDeep: [
    { depth: 100, ensure: false },
    'VALUE_NESTING',
    'precondition',
  ],
  Unauthorized: [{ signatory: BOB }, 'DAML_AUTHORIZATION_ERROR', ALL],
};
const KEY_CASES: typeof CASES = {
  KeyWithoutMaintainers: [
    { key: { maintainers: noParties } },
    'CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS',
    ALL,
  ],
  ContractIdInKey: [
    { key: { id: e.some(t.contractId(OTHER), arg('other')) } },
    'CONTRACT_ID_IN_CONTRACT_KEY',
    ALL,
  ],
  KeyTooDeep: [{ key: { depth: 100 } }, 'VALUE_NESTING', ALL],
};

describe.each([
  ['2.2, without keys', '2', false],
  ['2.3, with keys', '3', true],
  ['2.dev, with keys', 'dev', true],
] as const)('Daml-LF %s', (_name, lf, withKeys) => {
  const cases = Object.entries({ ...CASES, ...(withKeys && KEY_CASES) });
  const rows = Object.entries(BOTH).flatMap(([way, row]) =>
    cases.map(([name, [parts]]): [string, Row] => [`${way}${name}`, row(parts)]),
  );
  const SAME_KEY: Row = { ...byTemplate(), before: [[undefined, ITEM_ID, createItem()]] };
  const SAME_KEY_BY_INTERFACE: Row = {
    ...byInterface(),
    before: [[undefined, t.contractId(HUMAN), createHuman()]],
  };
  const outcomeOf = orderOf(
    { ...Object.fromEntries(rows), SAME_KEY, SAME_KEY_BY_INTERFACE },
    { lf, withKeys },
  );
  const whole = (log: string) => (withKeys && log === ALL ? WITH_KEY : log);

  describe.each(Object.keys(BOTH))('create by %s', (way) => {
    test.each(cases)('%s', (name, [, end, log]) => {
      expect(outcomeOf(`${way}${name}`)).toEqual({ end, log: whole(log) });
    });
  });

  test.each(['SAME_KEY', 'SAME_KEY_BY_INTERFACE'])(
    '%s: two contracts may have the same key',
    (name) => {
      expect(outcomeOf(name)).toEqual({ end: 'done', log: whole(ALL) });
    },
  );
});
