/** Crashes of a model's code, and `ensure` clauses that fail within a choice. */
import { shortValue } from '../../daml/explanation/short-value.js';
import { boundBody, choiceOf, template, type PackageLookup } from '../../daml/model/package.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Command, Transaction } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { DamlType } from '../../daml/model/types.js';
import type { Check, Finding, Probe } from '../model/finding.js';
import type { Submission } from '../model/step.js';
import type { LedgerState } from '../model/state.js';
import { leavesOf } from '../model/scalars.js';
import { actionsIn } from './nodes.js';
import { commandName, crashOf, failingPlace, messageIn, type CrashKind } from './failures.js';

/** A failed submission, and where it ran. */
interface Failed {
  readonly submission: Submission;
  readonly error: LedgerError;
  readonly state: LedgerState;
  readonly probe: Probe;
  /** Contracts that the signatories are to blame for: see {@link Planted}. */
  readonly planted: ReadonlySet<ContractId>;
}

const crashCheck = (
  name: string,
  summary: string,
  judge: (failed: Failed) => Finding | undefined,
): Check => ({
  name,
  summary,
  start(start, probe) {
    const planted = new Planted(start);
    return {
      *afterStep({ submitted }, state) {
        for (const { submission, transaction, error } of submitted) {
          if (transaction !== undefined) planted.add(transaction, submission.actAs);
          if (error === undefined) continue;
          const finding = judge({ submission, error, state, probe, planted: planted.contracts });
          if (finding !== undefined) yield finding;
        }
      },
    };
  },
});

/**
 * The contracts that all their signatories submitted, if the start state has contracts. A setup founds what a model
 * really has, so a crash on what signatories create otherwise tells nothing. Without a setup there may be no others.
 */
class Planted {
  readonly contracts = new Set<ContractId>();
  private readonly isFounded: boolean;

  constructor(start: LedgerState) {
    const [first] = start.active();
    this.isFounded = first !== undefined;
  }

  add(transaction: Transaction, actAs: readonly Party[]): void {
    if (!this.isFounded) return;
    for (const node of actionsIn(transaction)) {
      if (node.kind !== 'create') continue;
      const { contractId, signatories } = node.contract;
      if (signatories.every((party) => actAs.includes(party))) this.contracts.add(contractId);
    }
  }
}

/**
 * Whether a command harms only its submitters: they signed all contracts that it names, so only their own contracts
 * and arguments can be the cause. Planted contracts are the fault of their signatories.
 */
function isOwnFault(failed: Failed, command: Command): boolean {
  const { submission, state, planted } = failed;
  if (command.kind === 'create' || isOfPayload(failed, command)) return true;
  const { actAs } = submission;
  const { kind: _, templateId: __, ...values } = command;
  let isOwn = true;
  for (const leaf of leavesOf(values)) {
    const contract = typeof leaf === 'string' ? state.contract(leaf) : undefined;
    if (contract === undefined) continue;
    if (planted.has(contract.contractId)) return true;
    isOwn &&= contract.signatories.some((party) => actAs.includes(party));
  }
  return isOwn;
}

/** Whether already the creation of the contract crashes. */
function isOfPayload({ submission, probe, error }: Failed, command: Command): boolean {
  if (command.kind !== 'createAndExercise') return false;
  const { templateId, payload } = command;
  const commands = [{ kind: 'create', templateId, payload } as const];
  const creation = probe.submit({ ...submission, commands });
  return creation.error !== undefined && crashOf(creation.error) === crashOf(error);
}

/** The first command with which the commands up to it crash. */
function failingCommand({ submission, probe }: Failed, kind: CrashKind): Command | undefined {
  const { commands } = submission;
  if (commands.length === 1) return commands[0];
  return commands.find((_, last) => {
    const { error } = probe.submit({ ...submission, commands: commands.slice(0, last + 1) });
    return error !== undefined && crashOf(error) === kind;
  });
}

const OWN_FAULT = ' of its own contracts';

/** A crash of one of the kinds; `notes` are kinds of which a model may be right. */
const crashing = (
  name: string,
  summary: string,
  kinds: readonly CrashKind[],
  notes: readonly CrashKind[] = [],
): Check =>
  crashCheck(name, summary, (failed) => {
    const { error, state } = failed;
    const kind = crashOf(error);
    if (kind === undefined || !(kinds.includes(kind) || notes.includes(kind))) return undefined;
    const command = failingCommand(failed, kind);
    if (command === undefined) return undefined;
    const place = failingPlace(error, command);
    const text = messageIn(error.details.cause);
    const ownFault = isOwnFault(failed, command);
    return {
      check: name,
      place: `${place} ${kind}${ownFault ? OWN_FAULT : ''}`,
      message: `${place} crashes: ${text.replace(/\.$/, '')}. The input is ${shown(state.packages, command)}.`,
      assertion: { kind: 'noError', text: textOf(kind, error.details.cause) },
      ...((ownFault || notes.includes(kind)) && { isNote: true as const }),
    };
  });

/** The part of the message that does not depend on values. */
function textOf(kind: CrashKind, cause: string): string {
  if (kind === 'zero' || kind === 'overflow') return 'ArithmeticError';
  // The message can have several lines, as in the error of the ledger.
  return messageIn(cause.trim().split('\n')[0]!);
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
  (failed) => {
    const { error, state } = failed;
    if (crashOf(error) !== 'ensure') return undefined;
    const command = failingCommand(failed, 'ensure');
    const [, created] = CREATED.exec(error.details.cause) ?? [];
    if (command === undefined || created === undefined || command.kind === 'create')
      return undefined;
    if (isOfPayload(failed, command)) return undefined;
    const { packages } = state;
    const place = commandName(command);
    const ownFault = isOwnFault(failed, command);
    return {
      check: ENSURE,
      place: `${place} creates ${created}${ownFault ? OWN_FAULT : ''}`,
      message: `${place} fails: it creates an invalid ${created}. The input is ${shown(packages, command)}.`,
      assertion: { kind: 'noError', text: 'TEMPLATE_PRECONDITION_VIOLATED' },
      ...((ownFault || !hasNoArgument(packages, command)) && { isNote: true as const }),
    };
  },
);

/** The template in the cause of a violated precondition. */
const CREATED = /when creating ([^\s@]+)/;

function argumentType(packages: PackageLookup, command: Command): DamlType | undefined {
  if (command.kind === 'create') return undefined;
  return choiceOf(packages, command.templateId, command.choice)?.argumentType;
}

function hasNoArgument(packages: PackageLookup, command: Command): boolean {
  const type = argumentType(packages, command);
  if (type?.kind === 'unit') return true;
  const body = type?.kind === 'con' ? boundBody(packages, type) : undefined;
  return body?.kind === 'record' && body.fields.length === 0;
}

/** A command with its values, for people. */
function shown(packages: PackageLookup, command: Command): string {
  const type = argumentType(packages, command);
  const payloadType = template(packages, command.templateId)?.payloadType;
  const parts = [
    'payload' in command && payloadType && shortValue(packages, payloadType, command.payload),
    'argument' in command && type && shortValue(packages, type, command.argument),
  ];
  return [commandName(command), ...parts.filter(Boolean)].join(' ');
}
