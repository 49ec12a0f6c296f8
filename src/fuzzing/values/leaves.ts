/** Changes of the scalar values in steps, wherever they occur. */
import {
  boundBody,
  choiceOf,
  template as templateOf,
  type PackageLookup,
} from '../../daml/model/package.js';
import { Numeric } from '../../daml/model/numeric.js';
import type { Command } from '../../daml/model/transaction.js';
import type { DamlType } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  type DamlRecord,
  type DamlValue,
  type Party,
} from '../../daml/model/values.js';
import type { Step, Submission } from '../model/step.js';

/** The types of leaves. Contract ids are none, because they refer to other steps. */
const LEAVES = ['int64', 'numeric', 'text', 'party', 'timestamp', 'date'] as const;
const KINDS: readonly string[] = LEAVES;

/** Returns the new value of a scalar. */
export type Change = (type: DamlType, value: DamlValue) => DamlValue;

const PARTY: DamlType = { kind: 'party' };
const INT64: DamlType = { kind: 'int64' };

export const isNumber = ({ kind }: DamlType): boolean => kind === 'int64' || kind === 'numeric';

/** Equal for equal leaves. */
export function leafKey(type: DamlType, value: DamlValue): string {
  return value instanceof Numeric
    ? `numeric ${value.toCompact()}`
    : `${type.kind} ${String(value)}`;
}

export class Leaves {
  constructor(private readonly packages: PackageLookup) {}

  /** The steps with each leaf changed, the parties that submit among them. */
  changed(steps: readonly Step[], change: Change): readonly Step[] {
    return steps.map((step) => this.step(step, change));
  }

  private step(step: Step, change: Change): Step {
    switch (step.kind) {
      case 'submit':
        return { ...step, submission: this.submission(step.submission, change) };
      case 'race': {
        const [first, second] = step.submissions;
        return {
          ...step,
          submissions: [this.submission(first, change), this.submission(second, change)],
        };
      }
      case 'advance': {
        const micros = change(INT64, step.micros) as bigint;
        return micros > 0n ? { ...step, micros } : step;
      }
      case 'custom':
        return step;
    }
  }

  private submission({ actAs, readAs, commands }: Submission, change: Change): Submission {
    const parties = (all: readonly Party[]) => [
      ...new Set(all.map((each) => change(PARTY, each) as Party)),
    ];
    return {
      actAs: parties(actAs),
      readAs: parties(readAs),
      commands: commands.map((each) => this.command(each, change)),
    };
  }

  private command(command: Command, change: Change): Command {
    const template = templateOf(this.packages, command.templateId);
    const payload = (record: DamlRecord) =>
      this.value(template?.payloadType, record, change) as DamlRecord;
    if (command.kind === 'create') return { ...command, payload: payload(command.payload) };
    const type = choiceOf(this.packages, command.templateId, command.choice)?.argumentType;
    const argument = this.value(type, command.argument, change);
    switch (command.kind) {
      case 'createAndExercise':
        return { ...command, payload: payload(command.payload), argument };
      case 'exerciseByKey': {
        const key = this.value(template?.key?.type, command.key, change);
        return { ...command, key, argument };
      }
      case 'exercise':
        return { ...command, argument };
    }
  }

  private value(type: DamlType | undefined, value: DamlValue, change: Change): DamlValue {
    return withScalars(this.packages, type, value, (of, scalar) =>
      KINDS.includes(of.kind) ? change(of, scalar) : scalar,
    );
  }
}

/** The value with each scalar changed, except those in maps with keys of any type: their order could change. */
export function withScalars(
  packages: PackageLookup,
  type: DamlType | undefined,
  value: DamlValue,
  change: Change,
): DamlValue {
  const of = (inner: DamlType, item: DamlValue) => withScalars(packages, inner, item, change);
  switch (type?.kind) {
    case undefined:
    case 'genMap':
      return value;
    case 'optional':
      return value instanceof Some ? new Some(of(type.of, value.value)) : value;
    case 'list':
      return (value as readonly DamlValue[]).map((each) => of(type.of, each));
    case 'textMap':
      return new Map(
        [...(value as ReadonlyMap<string, DamlValue>)].map(([key, each]) => [
          key,
          of(type.of, each),
        ]),
      );
    case 'con': {
      const body = boundBody(packages, type);
      if (body?.kind === 'record')
        return Object.fromEntries(
          body.fields.map(
            (field) => [field.name, of(field.type, (value as DamlRecord)[field.name]!)] as const,
          ),
        );
      if (body?.kind !== 'variant') return value;
      const { tag, value: inner } = value as DamlVariant;
      const constructor = body.constructors.find(({ name }) => name === tag);
      return constructor === undefined ? value : new DamlVariant(tag, of(constructor.type, inner));
    }
    default:
      return change(type!, value);
  }
}
