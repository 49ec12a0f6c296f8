/**
 * The package as its users meet it: built into dist/, and installed in a project elsewhere. The project lies in a
 * temporary folder where `canticle` is a link to this repository, and our own dependencies can be found.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..');

/** Makes dist/ if it is not up to date; that is settled in a moment when it is. `npm test` has made it before. */
export function ensureBuilt(): void {
  if (process.env['CANTICLE_BUILT'] === undefined) run('node', ['scripts/build.mjs'], root);
}

export class UserProject {
  private readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'canticle-user-')));
  readonly folder = join(this.home, 'project');

  /** @param files TypeScript sources by name: `.mts` is a module, `.cts` CommonJS. */
  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(join(this.folder, 'node_modules'), { recursive: true });
    symlinkSync(root, join(this.folder, 'node_modules', 'canticle'));
    symlinkSync(join(root, 'node_modules'), join(this.home, 'node_modules'));
    this.write('package.json', JSON.stringify({ name: 'user-project', private: true }));
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** Type-checks every source and writes the JavaScript beside it. Throws what the compiler says. */
  compile(...options: readonly string[]): void {
    this.compileWith('typescript-7', '-p', '.', ...options);
  }

  /** @param release the compiler, as it is installed: `typescript`, or `typescript-7` */
  compileWith(release: string, ...options: readonly string[]): void {
    run('node', [join(root, 'node_modules', release, 'bin/tsc'), ...options], this.folder);
  }

  /** Runs a compiled file and returns what it printed. */
  run(file: string): string {
    return run('node', [file], this.folder);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  module: 'NodeNext',
  strict: true,
  noEmitOnError: true,
  // The declarations of the package are under test too, as strictly as a project may have it.
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  types: ['node'],
};

/** Runs a program to its end; throws with all that it printed unless it succeeds. */
export function run(program: string, args: readonly string[], cwd: string, input = ''): string {
  const options = { cwd, input, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  if (error) throw error;
  if (status === 0) return stdout;
  throw new Error(
    `${program} ${args.join(' ')} ended with ${signal ?? status}\n${stdout}${stderr}`,
  );
}
