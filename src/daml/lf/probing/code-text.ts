/** Prints expressions of an archive in the syntax of Daml, for reports. It hides most changes of the compiler. */
import type { BuiltinName } from '../../archive/builtin-table.js';
import { LfCode, type LfExpression } from '../../archive/code/expression.js';
import {
  Constant,
  type Form,
  type FormOf,
  type LfAlternative,
  type LfPattern,
  type Literal,
} from '../../archive/code/form.js';
import type { LfPackage } from '../../archive/lf-package.js';
import { formatDate, formatTimestamp } from '../../model/time.js';
import { splitTypeId, type TypeId } from '../../model/types.js';
import { unescaped } from '../lowering/script-name.js';
import { isLiftedName, isPartName } from './definition-names.js';

/** Longer texts are cut. */
const MAX_LENGTH = 100;
/** Levels of an expression that a text shows; deeper parts are `…`. */
const MAX_DEPTH = 12;
const MORE = '…';

const OPERATORS: Readonly<Partial<Record<BuiltinName, string>>> = {
  EQUAL: '==',
  LESS: '<',
  LESS_EQ: '<=',
  GREATER: '>',
  GREATER_EQ: '>=',
  ADD_INT64: '+',
  SUB_INT64: '-',
  MUL_INT64: '*',
  DIV_INT64: '/',
  MOD_INT64: '%',
  EXP_INT64: '^',
  ADD_NUMERIC: '+',
  SUB_NUMERIC: '-',
  MUL_NUMERIC: '*',
  DIV_NUMERIC: '/',
  APPEND_TEXT: '<>',
};
const CONTRACT_VARIABLES = new Set(['this', 'arg']);

/** A function and all of its arguments: `f` and `a b`, also if `f a` is a definition that is applied to `b`. */
export interface Applied {
  readonly head: LfExpression;
  /** The head with its types. */
  readonly typed: LfExpression;
  readonly args: readonly LfExpression[];
}

export class CodeText {
  private readonly code: LfCode;

  /** @param aliases local variables that are printed as the expressions they are bound to */
  constructor(
    private readonly lf: LfPackage,
    private readonly aliases: ReadonlyMap<string, LfExpression> = new Map(),
  ) {
    this.code = new LfCode(lf);
  }

  of(expression: LfExpression): string {
    return cut(this.text(expression, 0));
  }

  pattern(pattern: LfPattern): string {
    return patternText(pattern);
  }

  /** Two operands, with this operator. */
  binary(left: LfExpression, operator: string, right: LfExpression): string {
    return cut(`${this.atom(left, 0)} ${operator} ${this.atom(right, 0)}`);
  }

  /** Without type applications, and with the definition in place of a lifted name. */
  applied(expression: LfExpression): Applied {
    const args: LfExpression[] = [];
    let [head, typed] = [expression, expression];
    for (let steps = 0; steps < 100; steps += 1) {
      const { form } = head;
      if (form.kind === 'application') {
        args.unshift(...form.args);
        head = typed = form.fun;
      } else if (form.kind === 'typeApplication') head = form.head;
      else if (form.kind === 'typeLambda') head = form.body;
      else {
        const lifted = form.kind === 'value' ? this.lifted(form.id) : undefined;
        if (lifted === undefined || !isApplication(lifted)) break;
        head = typed = lifted;
      }
    }
    return { head, typed, args };
  }

  private lifted(id: TypeId): LfExpression | undefined {
    return isLiftedName(splitTypeId(id).entity) ? this.partOf(id) : undefined;
  }

  /** The expression of a definition of this package that is part of another one: a lifted one, or a method of a template. */
  partOf(id: TypeId): LfExpression | undefined {
    const { packageId, module, entity } = splitTypeId(id);
    if (packageId !== this.lf.id || !isPartName(entity)) return undefined;
    const bytes = this.lf.modules.get(module)?.values.get(entity)?.expression;
    return bytes && this.code.expression(bytes);
  }

  private text(expression: LfExpression, depth: number): string {
    if (depth > MAX_DEPTH) return MORE;
    const { form } = expression;
    const inner = (each: LfExpression) => this.text(each, depth + 1);
    switch (form.kind) {
      case 'variable': {
        const bound = this.aliases.get(form.name);
        return bound === undefined ? unescaped(form.name) : inner(bound);
      }
      case 'value':
      case 'builtin':
      case 'application':
      case 'typeApplication':
      case 'typeLambda':
        return this.application(this.applied(expression), depth);
      case 'constant':
        return form.constant === Constant.Unit ? '()' : Constant[form.constant];
      case 'literal':
        return literalText(form.literal);
      case 'projection':
        return this.projection(form, depth);
      case 'recordUpdate':
        return `${this.atom(form.record, depth)} with ${form.field} = ${inner(form.value)}`;
      case 'record':
        return form.fields.length === 0
          ? entityOf(form.con.id)
          : `${entityOf(form.con.id)} with ${form.fields.map(({ name }) => name).join('; ')}`;
      case 'variant':
        return `${form.name} ${this.atom(form.value, depth)}`;
      case 'enum':
        return form.name;
      case 'some':
        return `Some ${this.atom(form.value, depth)}`;
      case 'none':
        return 'None';
      case 'nil':
        return '[]';
      case 'cons':
        return this.list(form, depth);
      case 'lambda':
        return `\\${form.params.map(({ name }) => unescaped(name)).join(' ')} -> ${inner(form.body)}`;
      case 'case':
        return this.case(form, depth);
      case 'let':
      case 'block':
        return inner(form.body);
      case 'pure':
        return `pure ${this.atom(form.value, depth)}`;
      case 'create':
        return `create ${this.atom(form.value, depth)}`;
      case 'exercise':
        return `exercise ${this.atom(form.contractId, depth)} ${form.choice}`;
      case 'fetch':
        return `fetch ${this.atom(form.value, depth)}`;
      case 'getTime':
        return 'getTime';
      default:
        return OTHER[form.kind] ?? MORE;
    }
  }

  /** In parentheses, unless it is one word. */
  private atom(expression: LfExpression, depth: number): string {
    const text = this.text(expression, depth + 1);
    return /^[\w.'…]+$|^"[^"]*"$|^\[.*\]$|^\(\)$/u.test(text) ? text : `(${text})`;
  }

  private projection({ record, field }: FormOf<'projection'>, depth: number): string {
    const { form } = record;
    // In a template, fields need no `this`.
    if (form.kind === 'variable' && CONTRACT_VARIABLES.has(form.name)) return unescaped(field);
    return `${this.atom(record, depth)}.${unescaped(field)}`;
  }

  private list({ front, tail }: FormOf<'cons'>, depth: number): string {
    const items = front.map((each) => this.text(each, depth + 1));
    return tail.form.kind === 'nil'
      ? `[${items.join(', ')}]`
      : [...front.map((each) => this.atom(each, depth)), this.atom(tail, depth)].join(' :: ');
  }

  private application({ head, args: all }: Applied, depth: number): string {
    const name = nameOf(head.form) ?? this.atom(head, depth);
    const args = all.filter((each) => !isDictionary(each));
    const atoms = args.map((each) => this.atom(each, depth));
    if (/^[^\w\s($.…]+$/.test(name)) {
      const [left, right, ...rest] = atoms;
      if (right === undefined) return left === undefined ? `(${name})` : `(${left} ${name})`;
      const whole = `${left!} ${name} ${right}`;
      return rest.length === 0 ? whole : `(${whole}) ${rest.join(' ')}`;
    }
    return [name, ...atoms].join(' ');
  }

  /** The compiler writes `&&` and `||` as cases. */
  private case({ scrutinee, alternatives }: FormOf<'case'>, depth: number): string {
    const body = (which: Constant) => alternatives.find(matches(which))?.body;
    const [yes, no] = [body(Constant.True), body(Constant.False)];
    if (yes === undefined || no === undefined || alternatives.length !== 2)
      return `case ${this.text(scrutinee, depth + 1)} of ${MORE}`;
    const condition = this.atom(scrutinee, depth);
    if (isConstant(no, Constant.False)) return `${condition} && ${this.atom(yes, depth)}`;
    if (isConstant(yes, Constant.True)) return `${condition} || ${this.atom(no, depth)}`;
    return `if ${this.text(scrutinee, depth + 1)} then ${this.text(yes, depth + 1)} else ${this.text(no, depth + 1)}`;
  }
}

const OTHER: Readonly<Partial<Record<Form['kind'], string>>> = {
  lookupByKey: 'lookupByKey',
  fetchByKey: 'fetchByKey',
  throw: `throw ${MORE}`,
  tryCatch: `try ${MORE}`,
};

const isConstant = ({ form }: LfExpression, which: Constant): boolean =>
  form.kind === 'constant' && form.constant === which;

const matches =
  (which: Constant) =>
  ({ pattern }: LfAlternative): boolean =>
    pattern.kind === 'default' || (pattern.kind === 'constant' && pattern.constant === which);

const isApplication = ({ form }: LfExpression): boolean =>
  form.kind === 'application' || form.kind === 'typeApplication' || form.kind === 'value';

/** The name of a function without its module; an operator for its builtin or its method. */
function nameOf(form: Form): string | undefined {
  if (form.kind === 'builtin') return OPERATORS[form.row.name] ?? form.row.name;
  return form.kind === 'value' ? entityOf(form.id) : undefined;
}

/** Without the compiler's prefix and number of a method. */
export function entityOf(id: TypeId): string {
  const name = unescaped(splitTypeId(id).entity);
  return /^\$(?:c|dm)(.+?)\d*$/.exec(name)?.[1] ?? name.slice(name.lastIndexOf('.') + 1);
}

/** Whether it is the dictionary of a type class, which Daml does not show. */
export function isDictionary({ form }: LfExpression): boolean {
  if (form.kind === 'struct') return true;
  if (form.kind === 'application') return isDictionary(form.fun);
  if (form.kind === 'typeApplication') return isDictionary(form.head);
  if (form.kind === 'variable') return /^\$\$?d/.test(unescaped(form.name));
  return form.kind === 'value' && /^\$[fd]/.test(unescaped(splitTypeId(form.id).entity));
}

function patternText(pattern: LfPattern): string {
  switch (pattern.kind) {
    case 'default':
      return '_';
    case 'nil':
      return '[]';
    case 'cons':
      return `${unescaped(pattern.head)} :: ${unescaped(pattern.tail)}`;
    case 'none':
      return 'None';
    case 'some':
      return `Some ${unescaped(pattern.binder)}`;
    case 'constant':
      return pattern.constant === Constant.Unit ? '()' : Constant[pattern.constant];
    case 'variant':
    case 'enum':
      return pattern.name;
  }
}

function literalText(literal: Literal): string {
  switch (literal.type) {
    case 'Timestamp':
      return formatTimestamp(literal.value);
    case 'Date':
      return formatDate(literal.value);
    case 'Text':
      return JSON.stringify(literal.value);
    case 'Numeric':
      return literal.value.toString().replace(/(\.\d+?)0+$/, '$1');
    default:
      return String(literal.value);
  }
}

const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}${MORE}`;
