/** Reads the alternatives of case expressions. */
import { parseError } from '../dar-refusals.js';
import type { Message } from '../wire/message.js';
import type { LfExpression } from './expression.js';
import { Constant, type LfAlternative, type LfPattern } from './form.js';
import { idAt, nameAt } from './form-parts.js';

const BODY = 1;

export function readAlternative(e: LfExpression, message: Message): LfAlternative {
  let pattern: LfPattern | undefined;
  // Of several the last counts.
  while (message.next())
    if (message.field === BODY) message.skip();
    else pattern = readPattern(e, message);
  if (pattern === undefined) throw parseError('CaseAlt.SUM_NOT_SET');
  return { pattern, body: e.part(message, BODY) };
}

function readPattern(e: LfExpression, at: Message): LfPattern {
  if (at.field === 4) return readConstant(at.int());
  const { field } = at;
  const m = at.message();
  switch (field) {
    case 2:
      return { kind: 'default' };
    case 3: {
      const [name, binder] = [nameAt(e, m, 2), nameAt(e, m, 3)];
      return { kind: 'variant', id: idAt(e, m, 1), name, binder };
    }
    case 5:
      return { kind: 'nil' };
    case 6:
      return { kind: 'cons', head: nameAt(e, m, 1), tail: nameAt(e, m, 2) };
    case 7:
      return { kind: 'none' };
    case 8:
      return { kind: 'some', binder: nameAt(e, m, 1) };
    case 9:
      return { kind: 'enum', id: idAt(e, m, 1), name: nameAt(e, m, 2) };
    default:
      throw parseError(`CaseAlt: unexpected field ${field}`);
  }
}

function readConstant(constant: number): LfPattern {
  if (!(constant in Constant)) throw parseError('Unknown BuiltinCon: UNRECOGNIZED');
  return { kind: 'constant', constant };
}
