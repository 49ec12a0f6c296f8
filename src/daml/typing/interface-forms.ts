/** Types of the forms of expressions about interfaces and choices, by the number of the field of `Expr`. */
import type { TypeId } from '../model/types.js';
import type { Entity } from './entities.js';
import type { ExpressionChecker } from './expression-checker.js';
import type { Form } from './expression-forms.js';
import type { Type } from './type.js';

/** Two type constructors, and up to two expressions. */
type Parts = readonly [
  first: Entity,
  second: Entity,
  ranges: readonly [start: number, end: number, start2: number, end2: number],
];

function twoIds({ code }: ExpressionChecker, start: number, end: number): Parts {
  code.scan(start, end);
  const [start3, end3, start4, end4] = [
    code.starts[3]!,
    code.ends[3]!,
    code.starts[4]!,
    code.ends[4]!,
  ];
  const [start2, end2] = [code.starts[2]!, code.ends[2]!];
  const first = code.entity(code.starts[1]!, code.ends[1]!);
  return [first, code.entity(start2, end2), [start3, end3, start4, end4]];
}

const toInterface: Form = (c, start, end) => {
  const [iface, template, [from, to]] = twoIds(c, start, end);
  c.entities.implementation(iface, template);
  c.checkExpression(from, to, template.type);
  return iface.type;
};

const fromInterface: Form = (c, start, end) => {
  const [iface, template, [from, to]] = twoIds(c, start, end);
  c.entities.implementation(iface, template);
  c.checkExpression(from, to, iface.type);
  return c.types.app(c.types.optional, template.type);
};

const unsafeFromInterface: Form = (c, start, end) => {
  const { tables, version } = c.code.lf;
  if (!version.unsafeFromInterface)
    throw tables.notSupported('UnsafeFromInterface builtin (case Expr.unsafe_from_interface)');
  const [iface, template, [idFrom, idTo, from, to]] = twoIds(c, start, end);
  c.entities.implementation(iface, template);
  c.checkExpression(idFrom, idTo, c.types.app(c.types.contractId, iface.type));
  c.checkExpression(from, to, iface.type);
  return template.type;
};

function checkRequires(c: ExpressionChecker, requiring: Entity, required: TypeId): void {
  if (c.entities.interface(requiring).requires.includes(required)) return;
  const text = `Interface ${requiring.id} does not require ${required}`;
  c.fail('EWrongInterfaceRequirement', text);
}

const toRequired: Form = (c, start, end) => {
  const [required, requiring, [from, to]] = twoIds(c, start, end);
  checkRequires(c, requiring, required.id);
  c.checkExpression(from, to, requiring.type);
  return required.type;
};

const fromRequired: Form = (c, start, end) => {
  const [required, requiring, [from, to]] = twoIds(c, start, end);
  checkRequires(c, requiring, required.id);
  c.checkExpression(from, to, required.type);
  return c.types.app(c.types.optional, requiring.type);
};

const unsafeFromRequired: Form = (c, start, end) => {
  const [required, requiring, [idFrom, idTo, from, to]] = twoIds(c, start, end);
  checkRequires(c, requiring, required.id);
  c.checkExpression(idFrom, idTo, c.types.app(c.types.contractId, required.type));
  c.checkExpression(from, to, required.type);
  return requiring.type;
};

const callInterface: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [from, to] = [code.starts[3]!, code.ends[3]!];
  const method = code.name(code.starts[2]!);
  const iface = code.entity(code.starts[1]!, code.ends[1]!);
  const type = c.entities.method(iface, method);
  c.checkExpression(from, to, iface.type);
  return type;
};

/** What is asked of a contract through its interface. */
const ofInterface =
  (result: (c: ExpressionChecker, iface: Entity) => Type): Form =>
  (c, start, end) => {
    const { code } = c;
    code.scan(start, end);
    const [from, to] = [code.starts[2]!, code.ends[2]!];
    const iface = code.entity(code.starts[1]!, code.ends[1]!);
    c.entities.interface(iface);
    c.checkExpression(from, to, iface.type);
    return result(c, iface);
  };

/** NOTE: the decoder of the latest release takes these in no language version; the type checker has them. */
const partiesOfChoice: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [start3, end3, start4, end4] = [
    code.starts[3]!,
    code.ends[3]!,
    code.starts[4]!,
    code.ends[4]!,
  ];
  const name = code.name(code.starts[2]!);
  const owner = code.entity(code.starts[1]!, code.ends[1]!);
  const choice = c.entities.choice(owner, name);
  c.checkExpression(start3, end3, owner.type);
  c.checkExpression(start4, end4, c.types.of(choice.argument));
  return c.types.parties;
};

export const INTERFACE_FORMS: Readonly<Record<number, Form>> = {
  33: toInterface,
  34: fromInterface,
  35: callInterface,
  36: ofInterface(({ types }) => types.parties),
  37: ofInterface(({ types }) => types.parties),
  38: ofInterface((c, iface) => c.types.of(c.entities.interface(iface).view)),
  39: unsafeFromInterface,
  40: ofInterface(({ types }) => types.typeRep),
  41: toRequired,
  42: fromRequired,
  43: unsafeFromRequired,
  1001: partiesOfChoice,
  1002: partiesOfChoice,
};
