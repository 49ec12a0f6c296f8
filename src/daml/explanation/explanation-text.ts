/** The text of an explanation: the actions as a tree, then the place of the failure in the code, then the reasons. */
import type { LedgerError } from '../errors/ledger-error.js';
import { printable, spelledOut } from '../errors/printable.js';
import { qualifiedNameOf } from '../model/types.js';
import type { Party } from '../model/values.js';
import type { ExplanationFacts } from './explanation.js';
import { shortValue } from './short-value.js';
import { placeText } from '../tracing/shown-text.js';
import type { Trace, TracedAction, TypedValue } from '../tracing/trace.js';
import type { Place } from '../errors/explanation.js';

/**
 * The number of characters that are shown of an argument's line. The other limit is the number of actions, in
 * addition to those that lead to the failure.
 */
const MAX_ARGUMENT = 240;
const MAX_ACTIONS = 300;
/** If there are too many levels or stack places, only the outermost and the innermost are shown. */
const OUTERMOST = 10;
const INNERMOST = 30;

type Style = 'bad' | 'weak' | 'name';
const CODES: Readonly<Record<Style, number>> = { bad: 31, weak: 2, name: 1 };
const RESET = '\u001b[0m';
/** The line of an argument or a contract, after the branches of the tree. */
const ARGUMENT = /^[│ ]*(\u001b\[2m)?(with|by key|this is|got) /;
/** Modules of Daml's own libraries: the cause of a failure is in the code that calls them. */
const LIBRARY = /^(DA|GHC)\./;

/** A generated id, which does not help a reader. */
const MADE_UP_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function bodyText(
  facts: ExplanationFacts,
  trace: Trace | undefined,
  colors: boolean,
): string {
  const paint = (style: Style, text: string): string =>
    colors ? `\u001b[${CODES[style]}m${text}${RESET}` : text;
  const actions = trace?.actions ?? [];
  const tree = new Tree(facts, paint, pathToCulprit(actions));
  for (const action of actions) tree.add(action, '', '');
  const { commands = [], reasons, submission } = facts;
  const sections = [
    [submitterLine(submission), ...commands, ...tree.lines],
    stackLines(bounded(placesOf(trace).map(placeText))),
    reasons.map((line, index) => (index === 0 ? 'why' : '').padEnd(7) + printable(line)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n');
}

/** The tree goes from outside to inside and the stack from inside to outside, so each line states its direction. */
const stackLines = (places: readonly string[]): string[] =>
  places.map((place, index) => (index === 0 ? 'failed at   ' : 'called from ') + place);

function submitterLine({
  participant,
  actAs,
  readAs,
  commandId,
}: ExplanationFacts['submission']): string {
  const reading = readAs.length === 0 ? '' : `, reading as ${list(readAs)}`;
  const named = commandId === '' || MADE_UP_ID.test(commandId) ? '' : `, command ${commandId}`;
  return spelledOut(`${list(actAs)}${reading} at ${participant}${named}`);
}

const list = (parties: readonly Party[]): string =>
  parties.length === 0 ? 'nobody' : parties.join(', ');

/** The stack places in the user's code. Without them, the places in libraries do not help a reader. */
function placesOf(trace: Trace | undefined): readonly Place[] {
  const { stack = [] } = trace ?? {};
  return stack.filter((place) => !('module' in place && LIBRARY.test(place.module)));
}

/** Innermost first. */
function bounded(lines: readonly string[]): readonly string[] {
  const elided = lines.length - OUTERMOST - INNERMOST;
  if (elided <= 1) return lines;
  return [...lines.slice(0, INNERMOST), `… ${elided} more`, ...lines.slice(-OUTERMOST)];
}

/** The path from the command to the innermost action that failed; empty if no action failed. */
function pathToCulprit(actions: readonly (TracedAction | string)[]): readonly TracedAction[] {
  for (const action of actions) {
    if (typeof action === 'string' || action.outcome !== 'failed') continue;
    return [action, ...(action.isCulprit === true ? [] : pathToCulprit(action.children))];
  }
  return [];
}

class Tree {
  readonly lines: string[] = [];
  private count = 0;
  private isCut = false;
  private readonly path: ReadonlySet<TracedAction>;
  /** The omitted levels: the first of them, the level that follows, and their number. */
  private readonly elided: { first: TracedAction; next: TracedAction; count: number } | undefined;

  constructor(
    private readonly facts: ExplanationFacts,
    private readonly paint: (style: Style, text: string) => string,
    path: readonly TracedAction[],
  ) {
    this.path = new Set(path);
    const count = path.length - OUTERMOST - INNERMOST;
    if (count > 1) this.elided = { first: path[OUTERMOST]!, next: path[OUTERMOST + count]!, count };
  }

  /**
   * @param first the prefix of the action's line
   * @param rest the prefix of the lines below it
   * @param isSeen whether the failed code may have read the action's result
   */
  add(action: TracedAction | string, first: string, rest: string, isSeen = false): void {
    if (typeof action === 'string') {
      this.lines.push(
        `${first}${this.paint('weak', `trace: ${spelledOut(action.replaceAll('\n', ' '))}`)}`,
      );
      return;
    }
    if (action === this.elided?.first) {
      this.lines.push(`${first}… ${this.elided.count} levels of exercises`);
      this.add(this.elided.next, `${rest}└─ `, `${rest}   `);
      return;
    }
    this.count += 1;
    if (this.count > MAX_ACTIONS && !this.path.has(action)) {
      if (!this.isCut) this.lines.push(`${rest}… and more`);
      this.isCut = true;
      return;
    }
    const { children } = action;
    this.lines.push(first + this.headline(action));
    const below = children.length > 0 ? `${rest}│    ` : `${rest}     `;
    for (const line of this.details(action, isSeen)) this.lines.push(below + line);
    children.forEach((child, index) => {
      const isLast = index === children.length - 1;
      const [branch, beyond] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
      this.add(child, rest + branch, rest + beyond, action.isCulprit);
    });
  }

  private headline(action: TracedAction): string {
    const { kind, id, choice, contractId, templateId, at, outcome } = action;
    const mark = { done: '', failed: '✗ ', rolledBack: '↶ ', notReached: '· ' }[outcome];
    const name = this.paint('name', choice === undefined ? nameOf(id) : `${nameOf(id)} ${choice}`);
    const what =
      kind === 'create' ? (contractId === undefined ? '' : ` → ${contractId}`) : onText(contractId);
    const actual = templateId === undefined ? '' : `, a ${nameOf(templateId)}`;
    const who = authorizedBy(action);
    const state =
      outcome === 'rolledBack' ? ', rolled back' : outcome === 'notReached' ? ', not reached' : '';
    const where = at === undefined ? '' : this.paint('weak', `   at ${placeText(at)}`);
    const line = `${mark}${kind} ${name}${what}${kind === 'create' ? '' : actual}${who}${state}`;
    return (action.isCulprit === true ? this.paint('bad', line) : line) + where;
  }

  private valueLine(word: string, typed: TypedValue | undefined): string[] {
    if (typed === undefined) return [];
    const text = shortValue(this.facts.packages, typed.type, typed.value);
    return text === '{}' || text === '()' ? [] : [this.paint('weak', `${word} ${text}`)];
  }

  private details(action: TracedAction, isSeen: boolean): string[] {
    const { key, argument, isCulprit, kind, payload } = action;
    const { error } = this.facts;
    const lines = [...this.valueLine('by key', key), ...this.valueLine('with', argument)];
    if (isCulprit === true && kind === 'exercise')
      lines.push(...this.valueLine('this is', payload));
    if (isSeen && kind === 'fetch') lines.push(...this.valueLine('got', payload));
    if (isCulprit === true)
      for (const line of errorOf(error, action)) lines.push(this.paint('bad', line));
    return lines;
  }
}

const nameOf = (id: string): string => qualifiedNameOf(id);
const onText = (contractId: string | undefined): string =>
  contractId === undefined ? '' : ` on ${contractId}`;

function authorizedBy({ kind, required, isCulprit }: TracedAction): string {
  if (required === undefined || isCulprit === true) return '';
  return `${kind === 'create' ? ', signed by' : ' by'} ${list(required)}`;
}

/** Shortens long arguments. Call it after ids are shortened, because that changes the lengths. */
export function cutArguments(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.length <= MAX_ARGUMENT || !ARGUMENT.test(line)) return line;
      const reset = line.endsWith(RESET) ? RESET : '';
      return `${line.slice(0, MAX_ARGUMENT)}…${reset}`;
    })
    .join('\n');
}

/** The error of the action itself. */
function errorOf(error: LedgerError, { given, required }: TracedAction): string[] {
  const { authorization } = error.details;
  if (authorization !== undefined) {
    const missing = authorization.required.filter((party) => !authorization.given.includes(party));
    return [
      `needs ${list(authorization.required)}; has ${list(authorization.given)}; missing: ${list(missing)}`,
    ];
  }
  const who =
    required === undefined
      ? `has the authority of ${list(given)}`
      : `by ${list(required)}, with the authority of ${list(given)}`;
  const [first, ...more] = messageOf(error).split('\n');
  return [who, `failed: ${first}`, ...more.map((line) => `  ${line}`)];
}

/** The message without the prefix that Canton adds. */
function messageOf({ code, details }: LedgerError): string {
  if (code === 'TEMPLATE_PRECONDITION_VIOLATED')
    return `${code}: the precondition (ensure) does not hold`;
  const text = printable(details.cause).replace(/^Interpretation error: Error: /, '');
  const failure = /^User failure: (\S+) \(error category \d+\): ([\s\S]*)$/.exec(text);
  return failure === null ? `${code}: ${text}` : `${failure[1]}: ${failure[2]}`;
}
