/**
 * The Daml types of methods that TypeScript only names: of those that are named after a choice of their interface, as the token
 * standard names them. `transferImpl` is what the choice `Transfer` does, `transferExtraObservers` who else sees it. Others have
 * no type in Daml, and no place in archives.
 */
import { argumentType } from './collect.js';
import type { AnyInterface } from './code.js';
import type { Type } from './types.js';

export interface ChoiceMethod {
  readonly name: string;
  readonly argument: Type<unknown>;
  /** Of an update on the contract; absent for one that tells parties. */
  readonly result?: Type<unknown>;
}

const ENDING = /(Impl|ExtraObservers)$/;

export function choiceMethods(definition: AnyInterface): readonly ChoiceMethod[] {
  const choices = Object.entries(definition.choices);
  return definition.methodNames.flatMap((name): ChoiceMethod[] => {
    const [ending] = ENDING.exec(name) ?? [''];
    const named = name.slice(0, name.length - ending.length).toLowerCase();
    const found = choices.find(([choice]) => ending !== '' && choice.toLowerCase() === named);
    if (found === undefined) return [];
    const argument = argumentType(definition, ...found);
    return [{ name, argument, ...(ending === 'Impl' && { result: found[1].spec.result }) }];
  });
}
