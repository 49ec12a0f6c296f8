/** Invariants that modules of a user export: `--invariant FILE`. */
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { isError } from '../../daml/errors/realms.js';
import type { Check } from '../../fuzzing/model/finding.js';
import { FuzzSettingsError } from './settings.js';

/** An export of a module. */
export interface ExportedInvariant {
  readonly file: string;
  /** The name of the export. */
  readonly name: string;
  /** The place in the exported list; undefined for an invariant alone. */
  readonly place: number | undefined;
  readonly check: Check;
}

/**
 * The invariants in the order of the files and the names of their exports.
 * @throws FuzzSettingsError for a module that cannot be loaded or has no invariants, and for two invariants with the same name
 */
export function invariantsIn(files: readonly string[] = []): readonly ExportedInvariant[] {
  const found: ExportedInvariant[] = [];
  const names = new Map<string, string>();
  for (const file of files) {
    const own = [...exportedBy(file, loaded(file))];
    if (own.length === 0)
      throw new FuzzSettingsError(
        `${file} exports no invariants. Export results of invariant, conserved or seenOnlyBy, or lists of them.`,
      );
    for (const { check } of own) {
      const other = names.get(check.name);
      if (other !== undefined)
        throw new FuzzSettingsError(
          `${other} and ${file} both have an invariant '${check.name}'. Give them different names.`,
        );
      names.set(check.name, file);
    }
    found.push(...own);
  }
  return found;
}

const load = createRequire(import.meta.url);

function loaded(file: string): object {
  try {
    return load(resolve(file)) as object;
  } catch (error) {
    throw new FuzzSettingsError(`failed to load '${file}': ${causeOf(file, error)}`);
  }
}

/** Older releases of Node.js load JavaScript alone, and those before 20.19 no ES modules from here. */
function causeOf(file: string, error: unknown): string {
  const { version, features } = process;
  const isTypeScript = /^\.[cm]?ts$/.test(extname(file));
  if (isTypeScript && !('typescript' in features && features.typescript))
    return `Node.js ${version} does not load TypeScript. Use Node.js 22.18 or later, or JavaScript.`;
  if (!isError(error)) return String(error);
  return (error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ESM'
    ? `Node.js ${version} does not load ES modules here. Use Node.js 20.19 or later, or CommonJS.`
    : error.message;
}

/** A module can export the same invariant under several names. */
function* exportedBy(file: string, module: object): Generator<ExportedInvariant, void, undefined> {
  const known = new Set<unknown>();
  for (const [name, value] of Object.entries(module)) {
    const isList = Array.isArray(value);
    for (const [place, check] of (isList ? value : [value]).entries()) {
      if (!isCheck(check) || known.has(check)) continue;
      known.add(check);
      yield { file, name, place: isList ? place : undefined, check };
    }
  }
}

const isCheck = (value: unknown): value is Check => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, summary, start } = value as Partial<Check>;
  return typeof name === 'string' && typeof summary === 'string' && typeof start === 'function';
};
