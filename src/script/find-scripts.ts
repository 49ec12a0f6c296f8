/** The scripts of a package: its top-level values of type `Script a`, and functions of one argument to it. */
import { damlType } from '../daml/archive/daml-type.js';
import { unapply, type LfType } from '../daml/archive/lf-type.js';
import { DarPackage } from '../daml/dar/dar-package.js';
import type { DamlPackage } from '../daml/model/package.js';
import { splitTypeId, type DamlType, type PackageId } from '../daml/model/types.js';
import { ScriptError } from './failures.js';
import { LOW_LEVEL } from './library/libraries.js';
import { stableModule } from './library/stable-types.js';

export interface Script {
  readonly of: DarPackage;
  readonly module: string;
  readonly name: string;
  /** The id of the package that defines its type: a script library, or a part of one. */
  readonly library: PackageId;
  /** Whether its type is the same for all SDKs, as it is from 3.6 on. */
  readonly isStable: boolean;
  /** Undefined if it takes no argument. */
  readonly argument: DamlType | undefined;
  readonly result: DamlType;
  /** Whether the library is older than `daml-script` 3. Such a script cannot run. */
  readonly isLegacy: boolean;
}

/** `Module:name`. */
export const scriptName = ({ module, name }: Pick<Script, 'module' | 'name'>): string =>
  `${module}:${name}`;

/** @returns the module and the value; the module is empty without a colon */
export function splitScriptName(name: string): readonly [module: string, value: string] {
  const colon = name.indexOf(':');
  return [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
}

/** In the order of the archive. Definitions that the compiler generated are omitted. */
export function scriptsOf(of: DamlPackage): readonly Script[] {
  if (!(of instanceof DarPackage)) return [];
  const found: Script[] = [];
  for (const { module, name, type } of of.values(mayBeScript)) {
    const kind = name.startsWith('$') ? undefined : scriptType(type);
    if (kind !== undefined) found.push({ of, module, name, ...kind });
  }
  return found;
}

/** @param name `Module:name` @throws ScriptError if the script does not exist */
export function scriptNamed(of: DamlPackage, name: string): Script {
  const [module, value] = splitScriptName(name);
  const type = of instanceof DarPackage ? of.valueType(module, value) : undefined;
  if (type === undefined || !(of instanceof DarPackage)) throw unknownScript(of, name);
  const kind = scriptType(type);
  if (kind === undefined)
    throw new ScriptError(
      `${name} is no script: expected type 'Daml.Script.Script a' or a function of one argument to it.`,
    );
  return { of, module, name: value, ...kind };
}

function unknownScript(of: DamlPackage, name: string): ScriptError {
  const known = scriptsOf(of).map(scriptName);
  const has = known.length === 0 ? 'It has none.' : `It has ${known.slice(0, 20).join(', ')}.`;
  return new ScriptError(`${of.name}-${of.version} has no script ${name}. ${has}`);
}

type ScriptType = Pick<Script, 'library' | 'isStable' | 'argument' | 'result' | 'isLegacy'>;

function scriptType(type: LfType): ScriptType | undefined {
  const { head, args } = unapply(type);
  if (head.tag === 'builtin' && head.name === 'Arrow' && args.length === 2) {
    const result = plainScript(args[1]!);
    return result && { ...result, argument: damlType(args[0]!) };
  }
  return plainScript(type);
}

/** Whether the type can be a script's type, checked before synonyms are expanded. */
function mayBeScript(type: LfType): boolean {
  const { head, args } = unapply(type);
  if (head.tag === 'con') return head.id.endsWith(':Script');
  if (head.tag === 'builtin' && head.name === 'Arrow' && args.length === 2)
    return mayBeScript(args[1]!);
  return head.tag === 'syn';
}

function plainScript(type: LfType): ScriptType | undefined {
  const { head, args } = unapply(type);
  if (head.tag !== 'con' || args.length !== 1) return undefined;
  const { packageId, module, entity } = splitTypeId(head.id);
  const isLegacy = module === 'Daml.Script';
  const isStable = stableModule(module) === LOW_LEVEL;
  if (entity !== 'Script' || !(isLegacy || isStable || module === LOW_LEVEL)) return undefined;
  const result = damlType(args[0]!);
  return { library: packageId, isStable, argument: undefined, result, isLegacy };
}
