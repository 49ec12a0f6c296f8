/** The types of functions that code calls. */
import { unapply, type LfType } from '../../daml/archive/lf-type.js';
import type { CompiledDefinition } from '../../daml/lf/lowering/instrument.js';
import { splitTypeId, type TypeId } from '../../daml/model/types.js';

export interface FunctionType {
  readonly args: readonly LfType[];
  readonly result: LfType;
}

/** The type of a top-level value without its type variables; undefined if it is unknown. */
export function functionType(
  { lf, world }: CompiledDefinition,
  id: TypeId,
): FunctionType | undefined {
  const { packageId, module, entity } = splitTypeId(id);
  const of = packageId === lf.id ? lf : world.package(packageId);
  const value = of?.modules.get(module)?.values.get(entity);
  if (value === undefined) return undefined;
  const args: LfType[] = [];
  let rest = world.expand(value.type);
  for (;;) {
    if (rest.tag === 'forall') rest = rest.body;
    else {
      const { head, args: parts } = unapply(rest);
      if (head.tag !== 'builtin' || head.name !== 'Arrow' || parts.length !== 2) break;
      args.push(parts[0]!);
      rest = parts[1]!;
    }
  }
  return { args, result: rest };
}

export const isBuiltin = (type: LfType | undefined, name: string): boolean =>
  type?.tag === 'builtin' && type.name === name;

/** Whether it is an action without a result, in any monad: `m ()`. */
export function isUnitAction(type: LfType): boolean {
  const { head, args } = unapply(type);
  const isMonad = head.tag === 'variable' || (head.tag === 'builtin' && head.name === 'Update');
  return isMonad && args.length === 1 && isBuiltin(args[0], 'Unit');
}
