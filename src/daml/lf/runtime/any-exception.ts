/** `ANY_EXCEPTION_MESSAGE`, and the failure for an uncaught exception. */
import { DamlFailure } from '../../model/package.js';
import { qualifiedNameOf, splitTypeId, type TypeId } from '../../model/types.js';
import { isCompiledPackage } from './compiled.js';
import { ARITHMETIC_ERROR, DamlException } from './exceptions.js';
import { crash } from '../../refusals/refusals.js';
import type { Definition, Machine } from './machine.js';
import { Code, type Any, type FastCode, type RuntimeRecord } from './runtime-values.js';

type Unary = (self: 0, value: unknown, machine: Machine, depth: number) => unknown;

function typeOf(exception: Any): TypeId {
  const id = exception.type.constructorId;
  if (id === undefined) throw crash('an exception is of no exception type');
  return id;
}

function messageOf({ packages }: Machine, id: TypeId): Definition {
  const { packageId, module, entity } = splitTypeId(id);
  const of = packages.package(packageId);
  const definition =
    of && isCompiledPackage(of) ? of.exceptionMessage(`${module}:${entity}`) : undefined;
  if (definition === undefined) throw crash(`unknown exception ${id}`);
  return definition;
}

function message(exception: Any, machine: Machine, depth: number): unknown {
  const id = typeOf(exception);
  if (id === ARITHMETIC_ERROR) return (exception.value as RuntimeRecord)['p0'];
  return (messageOf(machine, id).c as unknown as Unary)(0, exception.value, machine, depth);
}

export const anyExceptionMessage = new Code(
  ((_self: unknown, exception: Any, machine: Machine, depth: number) =>
    message(exception, machine, depth)) as FastCode,
  () =>
    function* (_self, given, machine) {
      const exception = given as Any;
      const id = typeOf(exception);
      if (id === ARITHMETIC_ERROR) return (exception.value as RuntimeRecord)['p0'];
      return yield [messageOf(machine as Machine, id).k, 0, exception.value];
    },
);

/** Clients get Daml exceptions as failures with the exception's name. */
export function failureOf(machine: Machine, exception: DamlException): DamlFailure {
  const name = qualifiedNameOf(typeOf(exception.value));
  const id = `UNHANDLED_EXCEPTION/${name}`;
  try {
    return new DamlFailure(String(message(exception.value, machine, machine.base)), id);
  } catch (error) {
    if (!(error instanceof DamlException)) throw error;
    const thrown = qualifiedNameOf(typeOf(error.value));
    return new DamlFailure(
      `<Failed to calculate message as ${thrown} was thrown during conversion>`,
      id,
    );
  }
}
