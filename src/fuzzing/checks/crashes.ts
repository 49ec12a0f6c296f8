/** Crashes of a model's code, and `ensure` clauses that fail within a choice. */
import { shortValue } from '../../daml/explanation/short-value.js';
import { interfaceDefinition, template } from '../../daml/model/package.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import { boundBody } from '../../daml/model/package.js';
import { qualifiedNameOf, type DamlType } from '../../daml/model/types.js';
import type { Check, Finding, Probe } from '../model/finding.js';
import type { Submission } from '../model/step.js';
import type { LedgerState } from '../model/state.js';
import type { Submitted } from '../model/outcome.js';
import { leavesOf } from './nodes.js';
import { commandName, crashOf, failingPlace, messageIn, type CrashKind } from './failures.js';

type Judge = (submitted: Submitted, state: LedgerState, probe: Probe) => Finding | undefined;

const crashCheck = (name: string, summary: string, judge: Judge): Check => ({
  name,
  summary,
  start: (_, probe) => ({
    *afterStep({ submitted }, state) {
      for (const each of submitted) {
        const finding = each.error === undefined ? undefined : judge(each, state, probe);
        if (finding !== undefined) yield finding;
      }
    },
  }),
});

/**
 * Whether the submitters signed all contracts that their commands name: then only their own contracts and arguments
 * can be the cause, and no other party is harmed.
 */
function isOwnFault({ actAs, commands }: Submission, state: LedgerState): boolean {
  for (const command of commands) {
    if (command.kind === 'create') continue;
    const { kind: _, templateId: __, ...values } = command;
    for (const leaf of leavesOf(values)) {
      const contract = typeof leaf === 'string' ? state.contract(leaf) : undefined;
      if (contract !== undefined && !contract.signatories.some((party) => actAs.includes(party)))
        return false;
    }
  }
  return true;
}

const OWN_FAULT = ' of its own contracts';

/** A crash of one of the kinds; `notes` are kinds of which a model may be right. */
const crashing = (
  name: string,
  summary: string,
  kinds: readonly CrashKind[],
  notes: readonly CrashKind[] = [],
): Check =>
  crashCheck(name, summary, ({ submission, error }, state) => {
    const { commands } = submission;
    const kind = crashOf(error!);
    if (kind === undefined || !(kinds.includes(kind) || notes.includes(kind))) return undefined;
    const place = failingPlace(error!, commands);
    const text = messageIn(error!.details.cause).trim().replaceAll(/\s+/g, ' ');
    const ownFault = isOwnFault(submission, state);
    return {
      check: name,
      place: `${place} ${kind}${ownFault ? OWN_FAULT : ''}`,
      message: `${place} crashes: ${text} The input is ${shown(state.packages, commands)}.`,
      assertion: { kind: 'noError', text: textOf(kind, text) },
      ...((ownFault || notes.includes(kind)) && { isNote: true as const }),
    };
  });

/** The part of the message that does not depend on values. */
function textOf(kind: CrashKind, text: string): string {
  return kind === 'zero' || kind === 'overflow' ? 'ArithmeticError' : text;
}

export const arithmeticError = crashing(
  'arithmetic-error',
  'A division by zero. A number beyond its bounds is a note, and a command that uses only own contracts.',
  ['zero'],
  ['overflow'],
);

export const partialFunction = crashing(
  'partial-function',
  'A function of the standard library without a result, such as the head of an empty list, or a missing case.',
  ['partial', 'incomparable'],
);

const ENSURE = 'failing-ensure';

/**
 * A contract that a choice cannot create although the caller chooses nothing: the choice has no argument. With an
 * argument it is a note, because a model may refuse bad arguments in this way.
 */
export const failingEnsure = crashCheck(
  ENSURE,
  'A choice without an argument that creates an invalid contract. With an argument it is a note.',
  ({ submission, error }, state, probe) => {
    if (crashOf(error!) !== 'ensure') return undefined;
    const command = failingCommand(submission, probe);
    const [, created] = CREATED.exec(error!.details.cause) ?? [];
    if (command === undefined || created === undefined || command.kind === 'create')
      return undefined;
    if (command.kind === 'createAndExercise' && qualifiedNameOf(command.templateId) === created)
      return undefined;
    const { packages } = state;
    const place = commandName(command);
    const ownFault = isOwnFault(submission, state);
    return {
      check: ENSURE,
      place: `${place} creates ${created}${ownFault ? OWN_FAULT : ''}`,
      message: `${place} fails: it creates an invalid ${created}. The input is ${shown(packages, [command])}.`,
      assertion: { kind: 'noError', text: 'TEMPLATE_PRECONDITION_VIOLATED' },
      ...((ownFault || !hasNoArgument(packages, command)) && { isNote: true as const }),
    };
  },
);

/** The template in the cause of a violated precondition. */
const CREATED = /when creating ([^\s@]+)/;

/** The first command with which the commands up to it violate a precondition. */
function failingCommand(submission: Submission, probe: Probe): Command | undefined {
  const { commands } = submission;
  if (commands.length === 1) return commands[0];
  return commands.find((_, last) => {
    const { error } = probe.submit({ ...submission, commands: commands.slice(0, last + 1) });
    return error !== undefined && crashOf(error) === 'ensure';
  });
}

function argumentType(packages: PackageLookup, command: Command): DamlType | undefined {
  if (command.kind === 'create') return undefined;
  const { templateId: id } = command;
  const of = template(packages, id) ?? interfaceDefinition(packages, id);
  return of?.choices.get(command.choice)?.argumentType;
}

function hasNoArgument(packages: PackageLookup, command: Command): boolean {
  const type = argumentType(packages, command);
  if (type?.kind === 'unit') return true;
  const body = type?.kind === 'con' ? boundBody(packages, type) : undefined;
  return body?.kind === 'record' && body.fields.length === 0;
}

/** Commands with their values, for people. */
export function shown(packages: PackageLookup, commands: readonly Command[]): string {
  return commands
    .map((command) => {
      const name = commandName(command);
      const type = argumentType(packages, command);
      const payloadType = template(packages, command.templateId)?.payloadType;
      const parts = [
        'payload' in command && payloadType && shortValue(packages, payloadType, command.payload),
        'argument' in command && type && shortValue(packages, type, command.argument),
      ];
      return [name, ...parts.filter(Boolean)].join(' ');
    })
    .join('; ');
}
