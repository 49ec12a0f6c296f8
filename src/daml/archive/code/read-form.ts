/** Reads the forms of expressions, by the number of the field of `Expr` that holds them. */
import { BUILTIN_TABLE, hasBuiltin } from '../builtin-table.js';
import { parseError } from '../dar-refusals.js';
import type { Message } from '../wire/message.js';
import type { LfExpression } from './expression.js';
import { Constant, type Form, type FormOf } from './form.js';
import * as parts from './form-parts.js';
import { INTERFACE_FORMS } from './read-interface-form.js';
import { readLiteral } from './read-literal.js';
import { readAlternative } from './read-pattern.js';
import { readUpdate } from './read-update.js';

/** Reads the field that the message's cursor is at. */
type Read = (e: LfExpression, at: Message) => Form;

/** Of a field that holds a message. */
const message =
  (read: (e: LfExpression, message: Message) => Form): Read =>
  (e, at) =>
    read(e, at.message());

const readBuiltin: Read = ({ code: { lf } }, at) => {
  const row = BUILTIN_TABLE.get(at.int());
  if (row === undefined)
    throw parseError('BuiltinFunction.UNRECOGNIZED, value looked up was UNRECOGNIZED');
  if (!hasBuiltin(lf.version, row))
    throw lf.tables.notSupported(`daml_lf_2.BuiltinFunction.${row.name}`);
  return { kind: 'builtin', row };
};

const readConstant: Read = (_, at) => {
  const constant = at.int();
  if (!(constant in Constant)) throw parseError('BuiltinCon.UNRECOGNIZED');
  return { kind: 'constant', constant };
};

const readTypeLambda = (e: LfExpression, m: Message): FormOf<'typeLambda'> => {
  const params = parts.requireSome(parts.typeVariables(e, m), 'params');
  e.code.lf.tables.requireOne(params.length, 'params');
  return { kind: 'typeLambda', params, body: e.part(m, 2) };
};

/** A message of a type and an expression. */
const typed = (kind: 'some' | 'toAny' | 'fromAny' | 'toAnyException' | 'fromAnyException') =>
  message((e, m) => ({ kind, type: parts.typeAt(e, m, 1), value: e.part(m, 2) }));

/** An empty list or optional: a message that holds a type. */
const empty = (kind: 'nil' | 'none') => message((e, m) => ({ kind, type: parts.typeAt(e, m, 1) }));

export const FORMS: Readonly<Record<number, Read>> = {
  2: (e, at) => ({ kind: 'variable', name: parts.name(e, at.int()) }),
  3: message((e, m) => ({ kind: 'value', id: parts.id(e, m), number: m.numberAt(2) })),
  4: readBuiltin,
  5: readConstant,
  6: message((e, m) => ({ kind: 'literal', literal: readLiteral(e.code.lf, m) })),
  7: message((e, m) => {
    const con = parts.typeConApp(e, m.messageAt(1));
    return { kind: 'record', con, fields: parts.fields(e, m, 2) };
  }),
  8: message((e, m) => {
    const con = parts.typeConApp(e, m.messageAt(1));
    return { kind: 'projection', con, field: parts.nameAt(e, m, 4), record: e.part(m, 3) };
  }),
  9: message((e, m) => {
    const con = parts.typeConApp(e, m.messageAt(1));
    const field = parts.nameAt(e, m, 2);
    return { kind: 'recordUpdate', con, field, record: e.part(m, 3), value: e.part(m, 4) };
  }),
  10: message((e, m) => {
    const con = parts.typeConApp(e, m.messageAt(1));
    return { kind: 'variant', con, name: parts.nameAt(e, m, 2), value: e.part(m, 3) };
  }),
  11: message((e, m) => ({ kind: 'enum', id: parts.idAt(e, m, 1), name: parts.nameAt(e, m, 2) })),
  12: message((e, m) => ({ kind: 'struct', fields: parts.fields(e, m, 1) })),
  13: message((e, m) => ({
    kind: 'member',
    field: parts.nameAt(e, m, 1),
    struct: e.part(m, 2),
  })),
  14: message((e, m) => {
    const field = parts.nameAt(e, m, 1);
    return { kind: 'structUpdate', field, struct: e.part(m, 2), value: e.part(m, 3) };
  }),
  15: message((e, m) => {
    const args = parts.requireSome(e.parts(m, 2), 'args');
    return { kind: 'application', fun: e.part(m, 1), args };
  }),
  16: message((e, m) => {
    const types = m.messagesAt(2).map((type) => parts.type(e, type));
    parts.requireSome(types, 'args');
    e.code.lf.tables.requireOne(types.length, 'params');
    return { kind: 'typeApplication', head: e.part(m, 1), types };
  }),
  17: message((e, m) => {
    const params = m.messagesAt(1).map((param) => parts.binder(e, param));
    parts.requireSome(params, 'params');
    e.code.lf.tables.requireOne(params.length, 'params');
    return { kind: 'lambda', params, body: e.part(m, 2) };
  }),
  18: message(readTypeLambda),
  19: message((e, m) => {
    const alternatives = m.messagesAt(2).map((each) => readAlternative(e, each));
    return { kind: 'case', scrutinee: e.part(m, 1), alternatives };
  }),
  20: message((e, m) => {
    const bindings = parts.requireSome(parts.bindings(e, m), 'bindings');
    return { kind: 'let', body: e.part(m, 2), bindings };
  }),
  21: empty('nil'),
  22: message((e, m) => {
    const front = parts.requireSome(e.parts(m, 2), 'front');
    return { kind: 'cons', type: parts.typeAt(e, m, 1), front, tail: e.part(m, 3) };
  }),
  23: message(readUpdate),
  25: empty('none'),
  26: typed('some'),
  27: typed('toAny'),
  28: typed('fromAny'),
  29: message((e, m) => ({ kind: 'typeRep', type: parts.type(e, m) })),
  30: typed('toAnyException'),
  31: typed('fromAnyException'),
  32: message((e, m) => ({
    kind: 'throw',
    returns: parts.typeAt(e, m, 1),
    exception: parts.typeAt(e, m, 2),
    value: e.part(m, 3),
  })),
  ...Object.fromEntries(
    Object.entries(INTERFACE_FORMS).map(([field, read]) => [field, message(read)]),
  ),
  9999: message((e, m) => {
    const { version, tables } = e.code.lf;
    if (!version.dev) throw tables.notSupported('Unstable, experimental features');
    const name = Buffer.from(m.viewAt(1)).toString('utf8');
    return { kind: 'experimental', name, type: parts.typeAt(e, m, 2) };
  }),
};
