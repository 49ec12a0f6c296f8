/**
 * Steps as JSON, for the files of a corpus and for emitted tests. Templates have their package's name, so that another
 * version of the package can run the steps. Values are as in the JSON Ledger API.
 */
import { decodeValue, encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import {
  choiceOf,
  resolveTypeId,
  template as templateOf,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import { splitTypeId, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue, Party } from '../../daml/model/values.js';
import type { Step, Submission } from './step.js';

/** Microseconds and Daml values as text, as in the JSON Ledger API. */
export type StepJson =
  | ({ readonly number: number } & SubmissionJson)
  | { readonly number: number; readonly race: readonly [SubmissionJson, SubmissionJson] }
  | { readonly number: number; readonly advance: string }
  | { readonly number: number; readonly action: string; readonly with: unknown };

export interface SubmissionJson {
  readonly actAs: readonly Party[];
  readonly readAs?: readonly Party[];
  readonly commands: readonly CommandJson[];
}

/** `create`, `exercise` with `on`, both, or `exercise` with `key`. */
export interface CommandJson {
  /** The template, `#package-name:Module:Entity`; of an exercise, the template or interface. */
  readonly of: string;
  /** The payload of a new contract. */
  readonly create?: unknown;
  /** The choice. */
  readonly exercise?: string;
  /** The contract. */
  readonly on?: string;
  /** The key of the contract. */
  readonly key?: unknown;
  /** The argument of the choice. */
  readonly with?: unknown;
}

/** A step in a file that cannot be read. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

/** The types of the arguments of custom actions, by name. */
export type ActionTypes = (action: string) => DamlType | undefined;

const NO_ACTIONS: ActionTypes = () => undefined;

export class StepCodec {
  constructor(
    private readonly packages: PackageLookup,
    private readonly actions: ActionTypes = NO_ACTIONS,
  ) {}

  encode(step: Step): StepJson {
    const { number } = step;
    switch (step.kind) {
      case 'submit':
        return { number, ...this.submission(step.submission) };
      case 'race': {
        const [first, second] = step.submissions;
        return { number, race: [this.submission(first), this.submission(second)] };
      }
      case 'advance':
        return { number, advance: String(step.micros) };
      case 'custom': {
        const { action, argument } = step;
        return { number, action, with: this.json(this.actionType(action), argument) };
      }
    }
  }

  private submission({ actAs, readAs, commands }: Submission): SubmissionJson {
    const reading = readAs.length === 0 ? {} : { readAs };
    return { actAs, ...reading, commands: commands.map((each) => this.command(each)) };
  }

  private command(command: Command): CommandJson {
    const of = this.nameOf(command.templateId);
    const create =
      'payload' in command
        ? { create: this.json(this.payloadType(command.templateId), command.payload) }
        : {};
    if (command.kind === 'create') return { of, ...create };
    const { choice: exercise, templateId } = command;
    const argument = {
      exercise,
      with: this.json(this.argumentType(templateId, exercise), command.argument),
    };
    switch (command.kind) {
      case 'createAndExercise':
        return { of, ...create, ...argument };
      case 'exerciseByKey':
        return { of, key: this.json(this.keyType(templateId), command.key), ...argument };
      case 'exercise':
        return { of, on: command.contractId, ...argument };
    }
  }

  /** @throws StepError */
  decode(json: unknown): Step {
    const step = objectOf(json, 'A step');
    const { number } = step;
    if (!Number.isSafeInteger(number) || (number as number) < 0)
      throw new StepError(`The number of a step must be an integer from 0: ${shown(number)}.`);
    const own = { number: number as number };
    if ('race' in step) {
      const { race } = step;
      if (!Array.isArray(race) || race.length !== 2)
        throw new StepError('A race must have two submissions.');
      const [first, second] = race.map((each) => this.readSubmission(each)) as [
        Submission,
        Submission,
      ];
      return { kind: 'race', ...own, submissions: [first, second] };
    }
    if ('advance' in step)
      return {
        kind: 'advance',
        ...own,
        micros: this.read({ kind: 'int64' }, step['advance']) as bigint,
      };
    if ('action' in step) {
      const action = textOf(step['action'], 'action');
      return {
        kind: 'custom',
        ...own,
        action,
        argument: this.read(this.actionType(action), step['with']),
      };
    }
    return { kind: 'submit', ...own, submission: this.readSubmission(step) };
  }

  private readSubmission(json: unknown): Submission {
    const { actAs, readAs = [], commands } = objectOf(json, 'A submission');
    if (!Array.isArray(commands)) throw new StepError('A submission must have a list of commands.');
    return {
      actAs: partiesOf(actAs, 'actAs'),
      readAs: partiesOf(readAs, 'readAs'),
      commands: commands.map((each) => this.readCommand(each)),
    };
  }

  private readCommand(json: unknown): Command {
    const fields = objectOf(json, 'A command');
    const templateId = this.idOf(textOf(fields['of'], 'of'));
    const payload =
      'create' in fields
        ? (this.read(this.payloadType(templateId), fields['create']) as DamlRecord)
        : undefined;
    if (!('exercise' in fields)) {
      if (payload === undefined) throw new StepError('A command must have `create` or `exercise`.');
      return { kind: 'create', templateId, payload };
    }
    const choice = textOf(fields['exercise'], 'exercise');
    const argument = this.read(this.argumentType(templateId, choice), fields['with']);
    if (payload !== undefined)
      return { kind: 'createAndExercise', templateId, payload, choice, argument };
    if ('key' in fields) {
      const key = this.read(this.keyType(templateId), fields['key']);
      return { kind: 'exerciseByKey', templateId, key, choice, argument };
    }
    const contractId = textOf(fields['on'], 'on');
    return { kind: 'exercise', templateId, contractId, choice, argument };
  }

  private json(type: DamlType, value: DamlValue): unknown {
    return encodeValue(this.packages, type, value);
  }

  private read(type: DamlType, json: unknown): DamlValue {
    try {
      return decodeValue(this.packages, type, json);
    } catch (error) {
      if (error instanceof LedgerError) throw new StepError(error.details.cause);
      throw error;
    }
  }

  private nameOf(id: TypeId): string {
    const { packageId, module, entity } = splitTypeId(id);
    return `#${this.packages.package(packageId)!.name}:${module}:${entity}`;
  }

  private idOf(name: string): TypeId {
    const id = resolveTypeId(this.packages, name);
    if (id === undefined || id.startsWith('#'))
      throw new StepError(`There is no package of the template ${name}.`);
    return id;
  }

  private payloadType(id: TypeId): DamlType {
    const type = templateOf(this.packages, id)?.payloadType;
    if (type === undefined) throw new StepError(`There is no template ${this.nameOf(id)}.`);
    return type;
  }

  private argumentType(id: TypeId, choice: string): DamlType {
    const type = choiceOf(this.packages, id, choice)?.argumentType;
    if (type === undefined)
      throw new StepError(`There is no choice ${choice} of ${this.nameOf(id)}.`);
    return type;
  }

  private keyType(id: TypeId): DamlType {
    const type = templateOf(this.packages, id)?.key?.type;
    if (type === undefined) throw new StepError(`There is no key of ${this.nameOf(id)}.`);
    return type;
  }

  private actionType(action: string): DamlType {
    const type = this.actions(action);
    if (type === undefined) throw new StepError(`There is no action ${action}.`);
    return type;
  }
}

function objectOf(json: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(json)) return json;
  throw new StepError(`${what} must be an object: ${shown(json)}.`);
}

function textOf(json: unknown, field: string): string {
  if (typeof json === 'string') return json;
  throw new StepError(`The field '${field}' must be a text: ${shown(json)}.`);
}

function partiesOf(json: unknown, field: string): readonly Party[] {
  if (Array.isArray(json) && json.every((each) => typeof each === 'string')) return json as Party[];
  throw new StepError(`The field '${field}' must be a list of parties: ${shown(json)}.`);
}

const MAX_SHOWN = 60;
const shown = (json: unknown): string => (JSON.stringify(json) ?? 'nothing').slice(0, MAX_SHOWN);
