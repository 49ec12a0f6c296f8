/** State that the emitted functions of one definition share: constants for their module, and the numbers of lambdas. */
import type { Binding, Lambda } from '../lowering/expression.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { Definition } from '../runtime/machine.js';

export class Unit {
  /**
   * @param functionName the name of all functions, for readable code
   * @param home the position of the definition
   */
  constructor(
    readonly functionName = '',
    readonly home?: SourceLocation,
  ) {}

  readonly constants: unknown[] = [];
  readonly definitions: Definition[] = [];
  readonly lambdas: Lambda[] = [];
  /** Bindings that each lambda captures, in the order of its environment. */
  readonly captured: Binding[][] = [];
  /** Lambdas without calls. They have no deep form. */
  readonly leaves = new Set<number>();
  private readonly known = new Map<unknown, number>();
  private readonly numbers = new Map<Lambda, number>();

  constant(value: unknown): string {
    let index = this.known.get(value);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.known.set(value, index);
    }
    return `K[${index}]`;
  }

  definition(definition: Definition): string {
    let index = this.definitions.indexOf(definition);
    if (index < 0) index = this.definitions.push(definition) - 1;
    return `D${index}`;
  }

  /** A lambda's number. Its captured bindings are known after its emission. */
  number(lambda: Lambda): number {
    let number = this.numbers.get(lambda);
    if (number === undefined) {
      number = this.lambdas.push(lambda) - 1;
      this.numbers.set(lambda, number);
    }
    return number;
  }
}
