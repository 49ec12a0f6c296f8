/** Commands in the shape of Ledger API requests. The caller chooses the form of the values. */
import { template as templateOf, type PackageLookup } from '../../model/package.js';
import type { Command } from '../../model/transaction.js';
import type { DamlType, TypeId } from '../../model/types.js';
import type { DamlValue } from '../../model/values.js';
import { findChoice } from './command.js';

type Write = (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;

export interface CommandWriter {
  readonly value: Write;
  /** Writes a record for a field of the message that takes only records. */
  readonly record: Write;
}

/** @param templateId as the request names the template or interface */
export function commandMessage(
  packages: PackageLookup,
  writer: CommandWriter,
  command: Command,
  templateId: string,
): object {
  const { templateId: id } = command;
  const payload = (value: DamlValue) =>
    writer.record(packages, templateOf(packages, id)!.payloadType, value);
  if (command.kind === 'create')
    return { CreateCommand: { templateId, createArguments: payload(command.payload) } };
  const { choice } = command;
  const choiceArgument = writer.value(
    packages,
    argumentType(packages, id, choice),
    command.argument,
  );
  switch (command.kind) {
    case 'exercise':
      return {
        ExerciseCommand: { templateId, contractId: command.contractId, choice, choiceArgument },
      };
    case 'createAndExercise': {
      const createArguments = payload(command.payload);
      return { CreateAndExerciseCommand: { templateId, createArguments, choice, choiceArgument } };
    }
    case 'exerciseByKey': {
      const contractKey = writer.value(packages, templateOf(packages, id)!.key!.type, command.key);
      return { ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument } };
    }
  }
}

const argumentType = (packages: PackageLookup, id: TypeId, choice: string): DamlType =>
  findChoice(packages, id, choice).argumentType;
