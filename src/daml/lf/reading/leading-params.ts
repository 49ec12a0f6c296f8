/** How many arguments a definition takes, as far as that shows without reading all of it. */
import { MAX_MERGED_PARAMS } from './expression.js';
import { MAX_EXPRESSION_DEPTH } from './expression-reader.js';
import { Message } from './message.js';

export interface LeadingParams {
  /** Of the lambdas that the expression begins with. */
  readonly count: number;
  /** Whether the compiled function has just these: what is within is no lambda, and no update either. */
  readonly isAll: boolean;
}

/** @param interned an entry of the package's table of expressions */
export function leadingParams(
  expression: Uint8Array,
  interned: (index: number) => Uint8Array,
): LeadingParams {
  let count = 0;
  let isAll = false;
  let form: Message | undefined = Message.of(expression);
  // An entry of the table that leads to itself is refused where the expression is read.
  for (let level = 0; form !== undefined && level < MAX_EXPRESSION_DEPTH; level += 1) {
    const outer: Message = form;
    form = undefined;
    while (outer.next()) {
      if (outer.field === 44) form = Message.of(interned(outer.int()));
      else if (outer.field === 16) form = outer.message().messageAt(1);
      else if (outer.field === 18) form = outer.message().messageAt(2);
      else if (outer.field === 17) {
        const lambda = outer.message();
        count += lambda.messagesAt(1).length;
        form = lambda.messageAt(2);
      } else {
        isAll = isNoFunction(outer.field);
        outer.skip();
      }
    }
  }
  return { count, isAll: isAll && count <= MAX_MERGED_PARAMS };
}

/** Forms of `Expr` that may be read as a lambda: updates, conversions, what is experimental; 1 is no form but a place. */
const PERHAPS_FUNCTIONS = [1, 23, 41, 9999];

function isNoFunction(form: number): boolean {
  return !PERHAPS_FUNCTIONS.includes(form);
}
