/**
 * The Daml types of interface methods, which TypeScript definitions only name. They follow from the name of a
 * choice, as in the token standard: `transferImpl` is the code of the choice `Transfer`, and
 * `transferExtraObservers` returns its observers. Other methods have no Daml type, and are not in archives.
 */
import { argumentType } from './collect.js';
import type { AnyInterface } from './code.js';
import type { Type } from './types.js';

export interface ChoiceMethod {
  readonly name: string;
  readonly argument: Type<unknown>;
  /** The result of a method that is an update; absent for a method that returns parties. */
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
