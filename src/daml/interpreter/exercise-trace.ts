/** The place of a failure in the form of Canton's `exercise_trace`: choices from the innermost outwards, then the command. */
import type { Command, ExerciseNode } from '../model/transaction.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../model/types.js';

/** Canton's `transaction-trace-max-length`. */
const MAX_CHOICES = 10;

/** @param enclosing the choices that were being run, innermost first */
export function exerciseTrace(
  enclosing: Iterable<ExerciseNode>,
  command: Command | undefined,
): string {
  const lines: string[] = [];
  for (const { contract, templateId, choice, interfaceId, nodeId } of enclosing) {
    if (lines.length === MAX_CHOICES) {
      lines.push('...');
      break;
    }
    const place = `${shortened(interfaceId ?? templateId)}:${choice}`;
    lines.push(`in choice ${place} on contract ${contract.contractId.slice(0, 10)} (#${nodeId})`);
  }
  if (command !== undefined) lines.push(inCommand(command));
  return lines.map((line) => `    ${line}\n`).join('');
}

function inCommand(command: Command): string {
  const place = shortened(command.templateId);
  switch (command.kind) {
    case 'create':
      return `in create command ${place}.`;
    case 'exercise':
      return `in exercise command ${place}:${command.choice} on contract ${command.contractId.slice(0, 10)}.`;
    case 'createAndExercise':
      return `in create-and-exercise command ${place}:${command.choice}.`;
    case 'exerciseByKey':
      // Canton intends to print the key, but prints the class name `Doc` of its pretty-printer.
      return `in exercise-by-key command ${place}:${command.choice} on key Doc(...).`;
  }
}

/** With eight digits of the package id. */
const shortened = (id: TypeId): string => `${packageIdOf(id).slice(0, 8)}:${qualifiedNameOf(id)}`;
