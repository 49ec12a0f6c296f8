/**
 * Validates fault rules, and describes their actions.
 * NOTE: rules belong to Canticle, and so do the error texts here: the real system has no fault injection.
 */
import { suggestion } from '../../daml/errors/edit-distance.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { FaultAction, FaultCondition, FaultRule } from './fault-rule.js';
import * as a from './rule-values.js';
import type { Check, RuleNames } from './rule-values.js';

interface Row {
  readonly is: Check;
  /** Further members of the action. */
  readonly more?: Readonly<Record<string, Check>>;
  /** Members that it must have. */
  readonly required?: readonly string[];
}

const AT = { at: a.participant };

const ACTIONS: Readonly<Record<string, Row>> = {
  lose: { is: a.oneOf(['request', 'answer']), more: { as: a.oneOf(['reset'], [502, 504]) } },
  delay: { is: a.time, more: { of: a.part } },
  hold: { is: a.part },
  shuffle: { is: a.positive },
  truncate: { is: a.fraction },
  slow: { is: a.positive, more: { pause: a.count }, required: ['pause'] },
  refuse: { is: a.refuse, more: { retryAfter: a.count } },
  reject: { is: a.reject },
  repeat: { is: a.positive },
  cut: { is: a.oneOf(['reassignment'], [], a.count), more: { as: a.ending } },
  stall: { is: a.count },
  behind: { is: a.positive },
  alter: { is: a.members },
  prune: { is: a.count, more: AT },
  advance: { is: a.duration },
  pause: { is: a.synchronizer },
  resume: { is: a.synchronizer },
  disconnect: { is: a.synchronizer, more: AT },
  reconnect: { is: a.synchronizer, more: AT },
  // Users, parties and packages may be added after the rule.
  revoke: { is: a.text, more: { ...AT, party: a.text } },
  grant: {
    is: a.text,
    more: { ...AT, party: a.text, right: a.oneOf(['actAs', 'readAs', 'executeAs']) },
    required: ['party'],
  },
  unvet: { is: a.text, more: AT },
  vet: { is: a.text, more: AT },
  rival: { is: a.yes },
  restart: { is: a.yes, more: AT },
  answer: { is: a.answer },
};
const CONDITIONS: Readonly<Record<keyof FaultCondition, Check>> = {
  participant: a.receiver,
  host: a.text,
  commandId: a.text,
  party: a.text,
  template: a.text,
  choice: a.text,
  nth: a.places,
  times: a.positive,
  probability: a.fraction,
};
const RULE = ['on', 'when', 'do', 'optional'];

/** The name of the action. */
export function actionOf(action: FaultAction): string {
  const names = Object.keys(action);
  // In `{ slow, pause }`, `pause` is a setting and not the action.
  return names.find((name) => Object.hasOwn(ACTIONS, name) && name !== 'pause') ?? 'pause';
}

/** @throws LedgerError INVALID_ARGUMENT, which names the member, its value, and what a rule accepts */
export function checkRule(rule: unknown, names: RuleNames): FaultRule {
  if (!isJsonObject(rule)) throw wrong('Expected an object: { on, when, do }.');
  for (const name of Object.keys(rule)) requireMember('The rule', name, RULE);
  const { on, when, do: action, optional } = rule;
  checkOperations(on, names);
  if (when !== undefined) checkCondition(when, names);
  checkAction(action, names);
  if (optional !== undefined) check('optional', optional, a.yesOrNo, names);
  return rule as unknown as FaultRule;
}

function checkOperations(on: unknown, names: RuleNames): void {
  const given = [on].flat();
  if (given.length === 0)
    throw wrong("'on' cannot be []. Expected the id of an operation, a list of ids, or '*'.");
  for (const each of given) {
    check('on', each, a.text, names);
    if (each === '*') continue;
    const operations = names.operations?.();
    if (operations?.has(each as string) === false)
      throw wrong(
        `'on' cannot be ${shown(each)}: there is no operation '${String(each)}'.${suggestion(String(each), [...operations])}`,
      );
  }
}

function checkCondition(when: unknown, names: RuleNames): void {
  if (!isJsonObject(when)) throw wrong(`'when' cannot be ${shown(when)}. Expected an object.`);
  for (const [name, value] of Object.entries(when)) {
    requireMember("'when'", name, Object.keys(CONDITIONS));
    if (value !== undefined)
      check(`when.${name}`, value, CONDITIONS[name as keyof FaultCondition], names);
  }
}

function checkAction(action: unknown, names: RuleNames): void {
  const choices = Object.keys(ACTIONS);
  if (!isJsonObject(action) || Object.keys(action).length === 0)
    throw wrong(
      `'do' cannot be ${shown(action)}. Expected an object with one of ${choices.join(', ')}.`,
    );
  const name = actionOf(action as unknown as FaultAction);
  if (!Object.hasOwn(action, name)) requireMember("'do'", Object.keys(action)[0]!, choices);
  const { is, more = {}, required = [] } = ACTIONS[name]!;
  for (const member of Object.keys(action)) {
    if (member === name) continue;
    if (Object.hasOwn(ACTIONS, member) && !Object.hasOwn(more, member))
      throw wrong(`'do' has '${name}' and '${member}'. Expected one of them.`);
    requireMember(`'do' with '${name}'`, member, Object.keys(more));
  }
  check(`do.${name}`, action[name], is, names);
  for (const [member, isMember] of Object.entries(more))
    if (action[member] !== undefined) check(`do.${member}`, action[member], isMember, names);
    else if (required.includes(member)) throw wrong(`'do' with '${name}' needs '${member}'.`);
}

function requireMember(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw wrong(`${what} has no '${name}'.${suggestion(name, known)}`);
}

function check(member: string, value: unknown, is: Check, names: RuleNames): void {
  const remedy = is(value, names);
  if (remedy !== undefined) throw wrong(`'${member}' cannot be ${shown(value)}.${remedy}`);
}

/** Maximum number of characters of a value in an error text. */
const SHOWN = 200;

function shown(value: unknown): string {
  const json =
    typeof value === 'bigint' ? undefined : (JSON.stringify(value) as string | undefined);
  const whole = json ?? String(value);
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}

const wrong = (why: string): LedgerError =>
  ledgerError('INVALID_ARGUMENT', `Invalid fault rule: ${why}`);

/** One line of text, for journals and reports. */
export function describeAction(action: FaultAction): string {
  if ('answer' in action) return 'answer';
  return Object.entries(action)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.join('–');
  return isJsonObject(value) ? JSON.stringify(value) : String(value);
}
