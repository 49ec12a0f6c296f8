/** Reads the forms of updates, by the number of the field of `Update` that holds them. */
import { parseError } from '../dar-refusals.js';
import type { Message } from '../wire/message.js';
import type { LfExpression } from './expression.js';
import type { Form, FormOf } from './form.js';
import { bindings, idAt, nameAt, typeAt } from './form-parts.js';

type Read = (e: LfExpression, message: Message) => Form;

/** @param what the name of the feature that the update needs */
function requireKeys({ code: { lf } }: LfExpression, what: string): void {
  if (!lf.version.contractKeys) throw lf.tables.notSupported(what);
}

/** Creates and fetches: the named template or interface, and an expression. */
const onContract =
  (kind: 'create' | 'createInterface' | 'fetch' | 'fetchInterface'): Read =>
  (e, m) => ({ kind, id: idAt(e, m, 1), value: e.part(m, 2) });

const readExerciseInterface = (e: LfExpression, m: Message): FormOf<'exerciseInterface'> => {
  const { tables, version } = e.code.lf;
  if (m.has(5) && !version.dev)
    throw tables.notSupported('Guards in interfaces (case exerciseInterface.guard)');
  return {
    kind: 'exerciseInterface',
    id: idAt(e, m, 1),
    choice: nameAt(e, m, 2),
    contractId: e.part(m, 3),
    argument: e.part(m, 4),
    guard: m.has(5) ? e.part(m, 5) : undefined,
  };
};

const UPDATES: Readonly<Record<number, Read>> = {
  1: (e, m) => ({ kind: 'pure', type: typeAt(e, m, 1), value: e.part(m, 2) }),
  2: (e, m) => ({ kind: 'block', body: e.part(m, 2), bindings: bindings(e, m) }),
  3: onContract('create'),
  4: (e, m) => ({
    kind: 'exercise',
    id: idAt(e, m, 1),
    choice: nameAt(e, m, 6),
    contractId: e.part(m, 3),
    argument: e.part(m, 5),
  }),
  5: onContract('fetch'),
  6: () => ({ kind: 'getTime' }),
  7: (e, m) => ({ kind: 'embed', type: typeAt(e, m, 1), body: e.part(m, 2) }),
  8: (e, m) => {
    const { tables, version } = e.code.lf;
    if (!version.dev) throw tables.notSupported('Lookup by key');
    return { kind: 'lookupByKey', id: idAt(e, m, 1) };
  },
  9: (e, m) => {
    requireKeys(e, 'Fetch by key');
    return { kind: 'fetchByKey', id: idAt(e, m, 1) };
  },
  10: (e, m) => {
    requireKeys(e, 'Exercise by key');
    const [key, argument] = [e.part(m, 3), e.part(m, 4)];
    return {
      kind: 'exerciseByKey',
      id: idAt(e, m, 1),
      choice: nameAt(e, m, 2),
      key,
      argument,
    };
  },
  11: (e, m) => ({
    kind: 'tryCatch',
    type: typeAt(e, m, 1),
    body: e.part(m, 2),
    exception: nameAt(e, m, 3),
    handler: e.part(m, 4),
  }),
  12: onContract('createInterface'),
  13: readExerciseInterface,
  14: onContract('fetchInterface'),
  15: (e, m) => ({ kind: 'ledgerTimeLt', time: e.inside(m) }),
  16: (e, m) => {
    requireKeys(e, 'Non-unique contract keys');
    return { kind: 'queryNByKey', id: idAt(e, m, 1) };
  },
};

export function readUpdate(e: LfExpression, message: Message): Form {
  let form: Form | undefined;
  // Of several the last counts.
  while (message.next()) {
    const read = UPDATES[message.field];
    if (read === undefined) throw parseError(`Update: unexpected field ${message.field}`);
    form = read(e, message.message());
  }
  if (form === undefined) throw parseError('Update.SUM_NOT_SET');
  return form;
}
