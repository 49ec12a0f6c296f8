/** Expectations of a contract: its synchronizer, payload and visibility. */
import { withoutTrailing } from '../../daml/model/scans.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';
import {
  amount,
  contract,
  described,
  integer,
  list,
  oneOf,
  optional,
  participant,
  party,
  payload,
  synchronizer,
  template,
  text,
} from '../fields.js';
import { differences, expectation } from '../row.js';
import type { World } from '../world.js';
import { isWitness } from './witness.js';
import { Numeric, parseNumeric } from '../../daml/model/numeric.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';

export const contractExpectation = expectation({
  summary: 'A contract: its state, synchronizer, reassignment counter, payload and observers.',
  subject: contract,
  fields: {
    is: optional(oneOf(['active', 'archived', 'inFlight', 'unknown'])),
    synchronizer: optional(described(synchronizer, 'The synchronizer on which it is active.')),
    from: optional(described(synchronizer, 'The source synchronizer, while in flight.')),
    to: optional(described(synchronizer, 'The target synchronizer, while in flight.')),
    counter: optional(described(integer, 'Its reassignment counter.')),
    payload: optional(
      described(payload, 'Expected values of fields. Other fields may have any value.'),
    ),
    signatories: optional(list(party)),
    seenBy: optional(described(list(party), 'Parties that saw its creation.')),
    hiddenFrom: optional(described(list(party), 'Parties that did not see its creation.')),
  },
  check: (world, contractId, expected) => {
    const { is, synchronizer: where, from, to, counter, signatories } = expected;
    const state = world.network.contracts.state(contractId);
    const moving = state?.kind === 'inFlight' ? state : undefined;
    const active = state?.kind === 'active' ? state : undefined;
    const alias = (id: string | undefined) => (id === undefined ? undefined : world.aliasOf(id));
    const sorted = (parties: readonly string[] | undefined) =>
      parties && world.humanize([...parties].sort().join(', '));
    const errors = differences(
      {
        is,
        synchronizer: alias(where),
        from: alias(from),
        to: alias(to),
        counter,
        signatories: sorted(signatories),
      },
      {
        is: state?.kind ?? 'unknown',
        synchronizer: alias(active?.synchronizerId),
        from: alias(moving?.source),
        to: alias(moving?.target),
        counter: (active ?? moving)?.reassignmentCounter,
        signatories: sorted(world.network.contracts.get(contractId)?.instance.signatories),
      },
    );
    if (expected.payload !== undefined)
      errors.push(...subsetErrors(world, 'payload', expected.payload, world.payloadOf(contractId)));
    return {
      errors: [...errors, ...visibility(world, contractId, expected)],
      holds: world.describe(contractId),
    };
  },
});

export const sum = expectation({
  summary: 'The sum of a number in the active contracts of a template.',
  subject: amount,
  fields: {
    template: described(template, 'The template of the contracts.'),
    field: described(text, 'The field; a path with dots for a field of a nested record.'),
    with: optional(described(payload, 'Only contracts with these values of fields.')),
    of: optional(described(party, 'Only contracts with this stakeholder.')),
    on: optional(participant),
  },
  check: (world, expected, { template: templateId, field, with: values = {}, of, on }) => {
    const found = world
      .hostOf(of, on)
      .activeContracts({ party: of, template: templateId })
      .filter((each) => subsetErrors(world, '', values, each.payload).length === 0)
      .reduce((total, each) => total.add(numberAt(each.payload, field)), WIDEST_ZERO);
    const [wanted, total] = [Numeric.of(expected, MAX_DECIMALS), found].map((each) =>
      each.toCompact(),
    );
    return { errors: differences({ sum: wanted }, { sum: total }), holds: `the sum ${total}` };
  },
});

/** The number of decimals of sums. */
const MAX_DECIMALS = 18;
const WIDEST_ZERO = Numeric.of('0', MAX_DECIMALS);

function numberAt(payloadOf: unknown, path: string): string {
  let value = payloadOf;
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
  if (typeof value === 'string' && parseNumeric(value) !== undefined) return value;
  throw new ScenarioError(`The contracts have no number '${path}'.`, ['field']);
}

function visibility(
  world: World,
  contractId: ContractId,
  { seenBy = [], hiddenFrom = [] }: { seenBy?: readonly string[]; hiddenFrom?: readonly string[] },
): string[] {
  const nameOf = (id: string) => world.humanize(id);
  return [
    ...seenBy
      .filter((each) => !isWitness(world, contractId, each))
      .map((each) => `seenBy: ${nameOf(each)} does not see it`),
    ...hiddenFrom
      .filter((each) => isWitness(world, contractId, each))
      .map((each) => `hiddenFrom: ${nameOf(each)} sees it`),
  ];
}

/**
 * The parts of `expected` that `found` lacks: records by their fields, lists by all their items, numbers by their
 * value.
 */
export function subsetErrors(
  world: World,
  path: string,
  expected: unknown,
  found: unknown,
): string[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((item, i) => subsetErrors(world, `${path}.${i}`, item, found[i]));
  if (isJsonObject(expected) && isJsonObject(found))
    return Object.entries(expected).flatMap(([key, item]) =>
      subsetErrors(world, `${path}.${key}`, item, found[key]),
    );
  if (isSame(expected, found)) return [];
  return [
    `${path}: expected ${world.show(expected)}, found ${found === undefined ? 'none' : world.show(found)}`,
  ];
}

function isSame(expected: unknown, found: unknown): boolean {
  if (expected === found) return true;
  // Integers and decimals are strings in JSON, and one decimal has several forms.
  const texts = [expected, found].map((each) => (typeof each === 'number' ? String(each) : each));
  const decimals = texts.map((each) => (typeof each === 'string' ? plainDecimal(each) : undefined));
  return decimals[0] !== undefined && decimals[0] === decimals[1];
}

function plainDecimal(text: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const whole = match[2]!.replace(/^0+(?=\d)/, '');
  const decimals = withoutTrailing(match[3] ?? '', '0');
  return `${match[1]}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

export const activeContracts = expectation({
  summary: 'The number of active contracts.',
  subject: integer,
  fields: {
    template: optional(described(template, 'Only contracts of this template.')),
    of: optional(described(party, 'Only contracts with this stakeholder.')),
    on: optional(
      described(participant, 'The participant to query. Default: the host of the party.'),
    ),
  },
  check: (world, expected, { template, of, on }) => {
    const found = world.hostOf(of, on).activeContracts({ party: of, template });
    const counts = new Map<string, number>();
    for (const { templateId } of found) {
      const name = qualifiedNameOf(templateId);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const holds = [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
    return {
      errors: differences({ activeContracts: expected }, { activeContracts: found.length }),
      holds,
    };
  },
});
