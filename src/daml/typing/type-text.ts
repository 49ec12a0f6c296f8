/** Types and kinds as error texts have them: readable, or as Scala prints the object. */
import { qualifiedNameOf } from '../model/types.js';
import type { LfKind } from '../archive/lf-type.js';
import type { Type } from './type.js';

/** Precedence of the context. A type with a lower precedence gets parentheses. */
const [FORALL, ARROW, APPLICATION, ARGUMENT] = [0, 1, 2, 3];

function isArrow(type: Type): boolean {
  const { function: head } = type;
  return type.tag === 'app' && head.tag === 'app' && head.function.name === 'Arrow';
}

export function prettyType(type: Type, precedence = FORALL): string {
  const wrap = (own: number, text: string): string => (precedence > own ? `(${text})` : text);
  switch (type.tag) {
    case 'variable':
    case 'nat':
      return type.name;
    case 'con':
      return qualifiedNameOf(type.name);
    case 'builtin':
      return type.name === 'Arrow' ? '(->)' : type.name;
    case 'forall':
      return wrap(FORALL, `∀${type.name}${prettyForall(type.body)}`);
    case 'struct':
      return `(${type.inner.map((field, n) => `${type.names[n]}: ${prettyType(field)}`).join(', ')})`;
    case 'syn': {
      const args = type.inner.map((arg) => prettyType(arg, ARGUMENT)).join(' ');
      return wrap(APPLICATION, `${qualifiedNameOf(type.name)} ${args}`);
    }
    case 'app': {
      if (isArrow(type)) {
        const from = prettyType(type.function.argument, ARROW + 1);
        return wrap(ARROW, `${from} → ${prettyType(type.argument, ARROW)}`);
      }
      const fun = prettyType(type.function, APPLICATION);
      return wrap(APPLICATION, `${fun} ${prettyType(type.argument, ARGUMENT)}`);
    }
  }
}

function prettyForall(body: Type): string {
  return body.tag === 'forall'
    ? ` ${body.name}${prettyForall(body.body)}`
    : `. ${prettyType(body)}`;
}

/** `TApp(TBuiltin(BTList),TVar(a))`. */
export function showType(type: Type): string {
  switch (type.tag) {
    case 'variable':
      return `TVar(${type.name})`;
    case 'nat':
      return `TNat(${type.name})`;
    case 'con':
      return `TTyCon(${type.name})`;
    case 'builtin':
      return `TBuiltin(BT${type.name})`;
    case 'forall':
      return `TForall((${type.name},${showKind(type.bound!)}),${showType(type.body)})`;
    case 'struct': {
      const fields = type.inner.map((field, n) => `(${type.names[n]},${showType(field)})`);
      return `TStruct(Struct(${fields.join(',')}))`;
    }
    case 'syn':
      return `TSynApp(${type.name},ImmArray(${type.inner.map(showType).join(',')}))`;
    case 'app':
      return `TApp(${showType(type.function)},${showType(type.argument)})`;
  }
}

function showKind(kind: LfKind): string {
  if (kind.tag !== 'arrow') return kind.tag === 'star' ? 'KStar' : 'KNat';
  return `KArrow(${showKind(kind.from)},${showKind(kind.to)})`;
}
