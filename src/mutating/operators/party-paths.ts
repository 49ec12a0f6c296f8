/** Finds the fields with parties that code refers to: `owner`, `lock.holders` or, of the argument of a choice, `newOwner`. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { FormOf } from '../../daml/archive/code/form.js';
import { partsWithin } from '../../daml/archive/code/parts-within.js';
import { unapply, type LfType } from '../../daml/archive/lf-type.js';
import type { CompiledDefinition } from '../../daml/lf/lowering/instrument.js';
import { unescaped } from '../../daml/lf/lowering/script-name.js';
import { CodeText } from '../../daml/lf/probing/code-text.js';
import type { TypeId } from '../../daml/model/types.js';
import { isBuiltin } from './value-types.js';

/** Fields of a variable, from the outermost one. */
export interface Path {
  readonly root: string;
  readonly fields: readonly { readonly record: TypeId; readonly name: string }[];
}

/** Calls and levels of expressions that a search follows; deeper code is left out. */
const MAX_CALLS = 8;
const MAX_LEVELS = 200;

export const pathText = ({ fields }: Path): string =>
  fields.map(({ name }) => unescaped(name)).join('.');

type Scope = ReadonlyMap<string, Path>;

/**
 * In the order of the code, each once.
 * @param roots the variables whose fields are wanted
 */
export function partyPaths(
  definition: CompiledDefinition,
  expression: LfExpression,
  roots: readonly string[],
): readonly Path[] {
  const found = new Map<string, Path>();
  const search = new Search(definition, (path) =>
    found.set(`${path.root} ${pathText(path)}`, path),
  );
  const scope = new Map(roots.map((root): [string, Path] => [root, { root, fields: [] }]));
  search.visit(expression, scope, 0, 0);
  return [...found.values()];
}

/** The type of a field, without synonyms; undefined if it does not exist. */
function fieldType(
  { world }: CompiledDefinition,
  record: TypeId,
  name: string,
): LfType | undefined {
  const { body } = world.dataType(record, '');
  const field = body.kind === 'record' && body.fields.find(([each]) => each === name);
  return field ? world.expand(field[1]) : undefined;
}

/** A party, or several: `Party`, `[Party]`, `Optional Party`. */
export function hasParties(type: LfType | undefined): boolean {
  if (type === undefined) return false;
  const { head, args } = unapply(type);
  if (isBuiltin(head, 'Party')) return true;
  return (isBuiltin(head, 'List') || isBuiltin(head, 'Optional')) && isBuiltin(args[0], 'Party');
}

class Search {
  private readonly text: CodeText;

  constructor(
    private readonly definition: CompiledDefinition,
    private readonly found: (path: Path) => void,
  ) {
    this.text = new CodeText(definition.lf);
  }

  visit(expression: LfExpression, scope: Scope, calls: number, levels: number): void {
    if (levels > MAX_LEVELS) return;
    const path = pathOf(expression, scope);
    if (path !== undefined) {
      const last = path.fields.at(-1);
      if (last && hasParties(fieldType(this.definition, last.record, last.name))) this.found(path);
      return;
    }
    const { form } = expression;
    if (form.kind === 'let') this.let(form, scope, calls, levels);
    else if (form.kind === 'application') this.call(form, scope, calls, levels);
    else if (form.kind === 'value') this.enter(form.id, [], scope, calls, levels);
    else for (const part of partsWithin(form)) this.visit(part, scope, calls, levels + 1);
  }

  private let(
    { bindings, body }: FormOf<'let'>,
    scope: Scope,
    calls: number,
    levels: number,
  ): void {
    const within = new Map(scope);
    for (const { binder, bound } of bindings) {
      const path = pathOf(bound, within);
      if (path === undefined) {
        this.visit(bound, within, calls, levels + 1);
        within.delete(binder.name);
      } else within.set(binder.name, path);
    }
    this.visit(body, within, calls, levels + 1);
  }

  private call(
    { fun, args }: FormOf<'application'>,
    scope: Scope,
    calls: number,
    levels: number,
  ): void {
    const { form } = fun;
    if (form.kind === 'value' && this.enter(form.id, args, scope, calls, levels)) return;
    for (const each of [fun, ...args]) this.visit(each, scope, calls, levels + 1);
  }

  /** Follows a call of a definition that is a part of the code. @returns whether it is one */
  private enter(
    id: TypeId,
    args: readonly LfExpression[],
    scope: Scope,
    calls: number,
    levels: number,
  ): boolean {
    const part = calls < MAX_CALLS ? this.text.partOf(id) : undefined;
    if (part === undefined) return false;
    const within = new Map<string, Path>();
    const rest = [...args];
    let body = part;
    for (let steps = 0; steps < MAX_LEVELS && rest.length > 0; steps += 1) {
      const { form } = body;
      if (form.kind === 'lambda') {
        for (const { name } of form.params) {
          const arg = rest.shift();
          const path = arg && pathOf(arg, scope);
          if (path !== undefined) within.set(name, path);
        }
        body = form.body;
      } else if (form.kind === 'let') {
        for (const { binder, bound } of form.bindings) {
          const path = pathOf(bound, within);
          if (path !== undefined) within.set(binder.name, path);
        }
        body = form.body;
      } else break;
    }
    this.visit(body, within, calls + 1, levels + 1);
    return true;
  }
}

function pathOf({ form }: LfExpression, scope: Scope): Path | undefined {
  if (form.kind === 'variable') return scope.get(form.name);
  if (form.kind !== 'projection') return undefined;
  const record = pathOf(form.record, scope);
  const field = { record: form.con.id, name: form.field };
  return record && { ...record, fields: [...record.fields, field] };
}
