/**
 * Invariants in Daml: top-level definitions whose name starts with `invariant_`. Such a definition is a script without
 * an argument, or a function to `Bool`. Its argument is the payload of a template, or a list of them: the payloads of
 * all active contracts.
 */
import { damlType } from '../../daml/archive/daml-type.js';
import { unapply, type LfType } from '../../daml/archive/lf-type.js';
import { DarPackage } from '../../daml/dar/dar-package.js';
import { Evaluation } from '../../daml/dar/evaluation.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { listFrom } from '../../daml/lf/runtime/runtime-values.js';
import { DamlException } from '../../daml/lf/runtime/exceptions.js';
import { DamlFailure, template as templateOf, type DamlPackage } from '../../daml/model/package.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { scriptNamed, type Script } from '../../script/find-scripts.js';
import { inVersion } from '../../script/in-version.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { Check, Finding, Probe, RunningCheck } from '../model/finding.js';
import type { LedgerState } from '../model/state.js';

const PREFIX = 'invariant_';

interface DamlInvariant {
  /** `Module:invariant_name`. */
  readonly name: string;
  readonly of: DarPackage;
  readonly module: string;
  readonly value: string;
  readonly kind:
    | { readonly script: Script }
    | { readonly templateId: TypeId; readonly takes: 'all' | 'each' };
}

/** A definition with the name of an invariant and another type. */
export class InvalidInvariant extends Error {
  override readonly name = 'InvalidInvariant';
}

/**
 * The invariants that some packages define, as checks.
 * @throws InvalidInvariant if one has no type of an invariant
 */
export function damlInvariants(
  packages: ScriptPackages,
  of: Iterable<DamlPackage>,
): readonly Check[] {
  return [...of].flatMap((each) =>
    each instanceof DarPackage
      ? invariantsOf(packages, each).map((one) => checkOf(packages, one))
      : [],
  );
}

function invariantsOf(packages: ScriptPackages, of: DarPackage): readonly DamlInvariant[] {
  return [...of.values(() => true)]
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ module, name: value, type }) => {
      const name = `${module}:${value}`;
      const kind = functionKind(packages, type) ?? scriptKind(of, name);
      if (kind === undefined)
        throw new InvalidInvariant(
          `${name} is not an invariant: expected a script without an argument, or a function of a template, or of a list of them, to Bool.`,
        );
      return { name, of, module, value, kind };
    });
}

function scriptKind(of: DarPackage, name: string): DamlInvariant['kind'] | undefined {
  const script = scriptOf(of, name);
  return script?.argument === undefined && script !== undefined ? { script } : undefined;
}

function scriptOf(of: DarPackage, name: string): Script | undefined {
  try {
    return scriptNamed(of, name);
  } catch {
    return undefined;
  }
}

function functionKind(packages: ScriptPackages, type: LfType): DamlInvariant['kind'] | undefined {
  const { head, args } = unapply(type);
  if (head.tag !== 'builtin' || head.name !== 'Arrow' || args.length !== 2) return undefined;
  const [takes, gives] = args.map((each) => damlType(each)) as [DamlType, DamlType];
  if (gives.kind !== 'bool') return undefined;
  const one = takes.kind === 'list' ? takes.of : takes;
  if (one.kind !== 'con' || templateOf(packages, one.id) === undefined) return undefined;
  return { templateId: one.id, takes: takes.kind === 'list' ? 'all' : 'each' };
}

function checkOf(packages: ScriptPackages, invariant: DamlInvariant): Check {
  const { name, kind } = invariant;
  const violated =
    'script' in kind
      ? (_: LedgerState, probe: Probe) => failureOfScript(probe, kind.script)
      : functionOf(packages, invariant, kind);
  return {
    name,
    summary: `The invariant ${name} of the Daml code.`,
    start(start, probe): RunningCheck {
      let isBroken = false;
      function* check(state: LedgerState): Generator<Finding> {
        const failure = isBroken ? undefined : violated(state, probe);
        if (failure === undefined) return;
        isBroken = true;
        const assertion = 'script' in kind ? { kind: 'script' as const, name } : undefined;
        yield { check: name, place: name, message: failure, ...(assertion && { assertion }) };
      }
      const atStart = [...check(start)];
      isBroken = false;
      return {
        *afterStep({ submitted }, state) {
          if (atStart.length > 0 && !isBroken) {
            isBroken = true;
            yield* atStart;
          }
          if (submitted.length === 0 || submitted.some(({ transaction }) => transaction))
            yield* check(state);
        },
      };
    },
  };
}

/** A script holds unless it fails or returns False. */
function failureOfScript(probe: Probe, script: Script): string | undefined {
  const { result, failure } = probe.script(script);
  if (failure !== undefined) return failure;
  return result === false ? 'It returned False.' : undefined;
}

function functionOf(
  packages: ScriptPackages,
  { of, module, value }: DamlInvariant,
  { templateId, takes }: { readonly templateId: TypeId; readonly takes: 'all' | 'each' },
): (state: LedgerState) => string | undefined {
  const evaluation = new Evaluation(packages);
  const { packageName, payloadType } = templateOf(packages, templateId)!;
  const name = qualifiedNameOf(templateId);
  const payloadOf = (contract: ContractInstance): unknown =>
    toRuntime(packages, payloadType, inVersion(packages, contract, templateId).payload);
  const holds = (argument: unknown): string | undefined => {
    try {
      const fun = evaluation.value(of, module, value);
      return evaluation.apply(fun, [argument]) === true ? undefined : 'It returned False.';
    } catch (error) {
      return failureText(evaluation, error);
    }
  };
  return (state) => {
    const contracts = [...state.ofTemplate(packageName, name)];
    if (takes === 'all') return holds(listFrom(contracts.map(payloadOf)));
    for (const contract of contracts) {
      const failure = holds(payloadOf(contract));
      if (failure !== undefined) return `${name} ${contract.contractId}: ${failure}`;
    }
    return undefined;
  };
}

function failureText(evaluation: Evaluation, error: unknown): string {
  if (error instanceof DamlException) return evaluation.failureOf(error).message;
  if (error instanceof DamlFailure) return error.message;
  if (error instanceof LedgerError) return error.details.cause;
  throw error;
}
