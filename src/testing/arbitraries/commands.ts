/** Arbitrary values and commands as clients write them: Ledger API JSON. */
import fc, { type Arbitrary } from 'fast-check';
import { encodeValue } from '../../daml/codec/json/codec.js';
import type { DamlType } from '../../daml/model/types.js';
import type { ContractId, DamlValue } from '../../daml/model/values.js';
import { idOf, type TemplateName } from '../../wallet/typed.js';
import { ValueArbitraries, type Pools } from './daml-value.js';
import { arbitraryContractId } from './daml-scalars.js';
import { choiceIn, packagesOf, templateIn, typeOf, type Source } from './source.js';

/**
 * Values of a type in internal form: bigint, Numeric, Some and so on. @param type or its name, such as
 * `#package:Module:Entity`
 */
export function damlValue(
  source: Source,
  type: DamlType | TemplateName,
  pools?: Pools,
): Arbitrary<DamlValue> {
  const packages = packagesOf(source);
  return new ValueArbitraries(packages, pools).value(typeOf(packages, type));
}

/** Values of a type as Ledger API JSON. For the name of a template, its create arguments. */
export function damlJson(
  source: Source,
  type: DamlType | TemplateName,
  pools?: Pools,
): Arbitrary<unknown> {
  const packages = packagesOf(source);
  const whole = typeOf(packages, type);
  return new ValueArbitraries(packages, pools)
    .value(whole)
    .map((value) => encodeValue(packages, whole, value));
}

/** Arguments of a choice as Ledger API JSON. @param id of the template, or of the interface that has the choice */
export function choiceArgument(
  source: Source,
  id: TemplateName,
  choice: string,
  pools?: Pools,
): Arbitrary<unknown> {
  return damlJson(source, choiceIn(packagesOf(source), idOf(id), choice).argumentType, pools);
}

/** An element of `commands` in the JSON Ledger API. */
export interface CreateCommand {
  /** Template and payload. */
  readonly CreateCommand: { readonly templateId: string; readonly createArguments: unknown };
}

/** Creations of a template, with any payload. @throws Error for an unknown template */
export function createCommand(
  source: Source,
  template: TemplateName,
  pools?: Pools,
): Arbitrary<CreateCommand> {
  const templateId = idOf(template);
  const { payloadType } = templateIn(packagesOf(source), templateId);
  return damlJson(source, payloadType, pools).map((createArguments) => ({
    CreateCommand: { templateId, createArguments },
  }));
}

/** An element of `commands` in the JSON Ledger API. */
export interface ExerciseCommand {
  /** Contract, choice and argument. */
  readonly ExerciseCommand: {
    readonly templateId: string;
    readonly contractId: ContractId;
    readonly choice: string;
    readonly choiceArgument: unknown;
  };
}

/** Exercises on one of `pools.contractIds`, or on contracts that do not exist. */
export function exerciseCommand(
  source: Source,
  template: TemplateName,
  choice: string,
  pools: Pools = {},
): Arbitrary<ExerciseCommand> {
  const templateId = idOf(template);
  const { contractIds = [] } = pools;
  const target = contractIds.length > 0 ? fc.constantFrom(...contractIds) : arbitraryContractId;
  return fc
    .tuple(target, choiceArgument(source, templateId, choice, pools))
    .map(([contractId, argument]) => ({
      ExerciseCommand: { templateId, contractId, choice, choiceArgument: argument },
    }));
}
