/** A finding as a story for people: the bug, the steps that lead to it, and the trace of the last step. */
import { shortValue } from '../../daml/explanation/short-value.js';
import { shortenedDigits } from '../../daml/explanation/short-ids.js';
import { template as templateOf } from '../../daml/model/package.js';
import { formatDuration } from '../../daml/model/time.js';
import type { Command, Interpretation } from '../../daml/model/transaction.js';
import { traceText } from '../../daml/tracing/trace-text.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import { splitTypeId, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { ContractId, DamlValue, Party } from '../../daml/model/values.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import { contractKeyType, targetOf } from './command-types.js';
import { ShownNames, type Reproduction } from './reproduction.js';

/** Lines of text. @param trace of the last step */
export function story(reproduction: Reproduction, trace?: TransactionTrace): readonly string[] {
  return new Storyteller(reproduction).told(trace);
}

class Storyteller {
  private readonly names: ShownNames;

  constructor(private readonly of: Reproduction) {
    this.names = new ShownNames(of);
  }

  told(trace: TransactionTrace | undefined): readonly string[] {
    const { finding, outcomes, start } = this.of;
    const place = finding.at && ` (${finding.at.module}:${finding.at.line})`;
    const lines = [`${finding.check} at ${finding.place}${place ?? ''}`];
    lines.push(...finding.message.split('\n').map((line) => `  ${this.shown(line)}`));
    const known = start.contracts.filter(({ contractId }) => this.names.mentioned.has(contractId));
    if (known.length > 0) lines.push('', 'Before the first step:');
    for (const { contractId, templateId, payload } of known)
      lines.push(`  ${this.contract(contractId)} is ${this.record(templateId, payload)}`);
    if (outcomes.length > 0) lines.push('', 'Steps:');
    outcomes.forEach((outcome, place) => {
      const [first, ...rest] = this.step(outcome);
      const number = `${place + 1}.`.padEnd(3);
      lines.push(`  ${number} ${first!}`, ...rest.map((line) => `      ${line}`));
    });
    if (trace !== undefined) lines.push('', 'The last step in detail:', ...this.traced(trace));
    return lines;
  }

  /** The tree of the trace, with names instead of ids, without the head about the submission. */
  private traced({ steps: _, ...trace }: TransactionTrace): readonly string[] {
    const named = trace.nodes.map((node) =>
      node.contractId === undefined
        ? node
        : { ...node, contractId: this.names.contract(node.contractId) ?? 'a new contract' },
    );
    const lines = traceText({ ...trace, nodes: named })
      .trimEnd()
      .split('\n');
    return lines.slice(1).map((line) => `  ${this.shown(line)}`);
  }

  private step({ step, submitted, failure }: Outcome): readonly string[] {
    switch (step.kind) {
      case 'advance':
        return [`time advances by ${formatDuration(step.micros)}`];
      case 'custom': {
        const failed = failure === undefined ? [] : [this.shown(failure)];
        return [
          `the action ${step.action}`,
          ...failed,
          ...submitted.flatMap((each) => this.submission(each)),
        ];
      }
      case 'race':
        return ['at the same time', ...submitted.flatMap((each) => this.submission(each))];
      case 'submit':
        return submitted.flatMap((each) => this.submission(each));
    }
  }

  private submission({ submission, transaction, error }: Submitted): readonly string[] {
    const { actAs, readAs, commands } = submission;
    const reading = readAs.length === 0 ? '' : `, reading as ${this.parties(readAs)},`;
    const who = `${this.parties(actAs)}${reading}`;
    const made = new Map(createdBy(commands, transaction).map((each) => [each.command, each]));
    const texts = commands.map((each) => this.command(each, made.get(each)?.contractId));
    const lines = texts.length === 1 ? [`${who} ${texts[0]}`] : [`${who} in one transaction`];
    if (texts.length > 1) lines.push(...texts.map((each) => `  ${each}`));
    const shown = new Set([...made.values()].map(({ contractId }) => contractId));
    if (error !== undefined)
      lines.push(`  rejected: ${error.code}: ${this.shown(error.details.cause)}`);
    for (const node of transaction?.nodes ?? []) {
      if (node.kind === 'create') {
        const { contractId, templateId, payload } = node.contract;
        if (!shown.has(contractId))
          lines.push(`  creates ${this.named(contractId)}${this.record(templateId, payload)}`);
      } else if (node.kind === 'exercise' && node.consuming)
        lines.push(`  archives ${this.contract(node.contract.contractId)}`);
    }
    return lines;
  }

  /** `iou1: `, if a later step mentions the contract. */
  private named(contractId: ContractId | undefined): string {
    const name = contractId === undefined ? undefined : this.names.contract(contractId);
    return name === undefined ? '' : `${name}: `;
  }

  /** @param created the contract that it created */
  private command(command: Command, created: ContractId | undefined): string {
    const { packages } = this.of;
    const { templateId } = command;
    if (command.kind === 'create')
      return `creates ${this.named(created)}${this.record(templateId, command.payload)}`;
    const { choice } = command;
    const { type } = targetOf(packages, templateId, choice);
    const argument = this.value(type, command.argument);
    const what = `exercises ${choice}${argument === '{}' ? '' : ` ${argument}`}`;
    switch (command.kind) {
      case 'createAndExercise':
        return `creates ${this.named(created)}${this.record(templateId, command.payload)} and ${what} on it`;
      case 'exerciseByKey': {
        const key = this.value(contractKeyType(packages, templateId), command.key);
        return `${what} on ${splitTypeId(templateId).entity} by key ${key}`;
      }
      case 'exercise':
        return `${what} on ${this.contract(command.contractId)}`;
    }
  }

  private record(id: TypeId, payload: DamlValue): string {
    const type = templateOf(this.of.packages, id)!.payloadType;
    return `${splitTypeId(id).entity} ${this.value(type, payload)}`;
  }

  private value(type: DamlType, value: DamlValue): string {
    return this.shown(shortValue(this.of.packages, type, value));
  }

  private contract(id: string): string {
    return this.names.contract(id) ?? shortenedDigits(id);
  }

  private parties(parties: readonly Party[]): string {
    return parties.length === 0
      ? 'nobody'
      : parties.map((each) => this.names.party(each)).join(' and ');
  }

  /** With names instead of ids. */
  private shown(text: string): string {
    let result = text;
    for (const [id, name] of this.names.all()) result = result.replaceAll(id, name);
    return shortenedDigits(result);
  }
}

/** The contracts that commands created themselves, by the roots of the transaction. */
function createdBy(
  commands: readonly Command[],
  transaction: Interpretation | undefined,
): readonly { readonly command: Command; readonly contractId: ContractId }[] {
  if (transaction === undefined) return [];
  const roots = transaction.roots.values();
  return commands.flatMap((command) => {
    const node = transaction.nodes[roots.next().value!]!;
    if (command.kind === 'createAndExercise') roots.next();
    return node.kind === 'create' ? [{ command, contractId: node.contract.contractId }] : [];
  });
}
