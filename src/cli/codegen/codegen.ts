/**
 * `canticle codegen`: writes TypeScript for the declarations of DARs. It does not write files that are already correct, so that a tool
 * that watches them sees no change. It removes files of an earlier run that it no longer generates.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { moduleNameOf } from '../../codegen/documentation.js';
import { GENERATED_MARK, generateTypeScript } from '../../codegen/generate.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { namedDar, type NamedDar } from '../read-dar.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { whileWatched } from '../watch.js';

export interface CodegenFlags {
  /** The output folder. */
  readonly out: string;
  readonly watch?: boolean;
  readonly cache?: string | false;
}

/** @returns the exit status: 1 after an error that it printed while watching a DAR that it cannot read */
export function runCodegen(
  files: readonly string[],
  terminal: Terminal,
  flags: CodegenFlags,
): Promise<number> {
  return whileWatched(
    flags.watch,
    () => files,
    terminal,
    () => {
      try {
        writeOnce(files, terminal, flags);
        return 0;
      } catch (error) {
        if (flags.watch !== true || !(error instanceof CommandFailed)) throw error;
        terminal.stderr.write(`canticle: ${error.message}\n`);
        return 1;
      }
    },
  );
}

function writeOnce(
  files: readonly string[],
  { stdout }: Terminal,
  { out, cache }: CodegenFlags,
): void {
  const dars = files.map((file) => namedDar(file, cache));
  const texts = textsOf(dars);
  try {
    const removed = removeOthers(out, texts);
    const written = [...texts].filter(([path, text]) => writeText(join(out, path), text)).length;
    const names = dars.map(({ main }) => `${main.name} ${main.version}`).join(', ');
    const changes = `${written} of ${count(texts.size, 'file')} written`;
    stdout.write(`${names}: ${changes}${removed === 0 ? '' : `, ${removed} removed`} in ${out}.\n`);
  } catch (error) {
    throw new CommandFailed(`failed to write to ${out}: ${causeOf(error)}`);
  }
}

function textsOf(dars: readonly NamedDar[]): ReadonlyMap<string, string> {
  const packages = new Map<PackageId, DamlPackage>();
  const sources = new Map<string, string>();
  for (const dar of dars) {
    for (const one of dar.packages) if (!packages.has(one.id)) packages.set(one.id, one);
    for (const source of dar.sources)
      sources.set(`${dar.main.id}:${moduleNameOf(source) ?? ''}`, source);
  }
  return generateTypeScript({
    main: dars.map(({ main }) => main),
    packages: [...packages.values()],
    source: (id, module) => sources.get(`${id}:${module}`),
  });
}

/** @returns whether it wrote the file */
function writeText(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

/** Removes generated files that are not among the texts. @returns their number */
function removeOthers(out: string, texts: ReadonlyMap<string, string>): number {
  if (!existsSync(out)) return 0;
  const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
  const stale = found.filter(
    (path) =>
      path.endsWith('.ts') &&
      !texts.has(path.split(sep).join('/')) &&
      readFileSync(join(out, path), 'utf8').startsWith(GENERATED_MARK),
  );
  for (const path of stale) rmSync(join(out, path));
  return stale.length;
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
