/**
 * The package as its users meet it: built into dist/, and installed in a project elsewhere. The project lies in a
 * temporary folder where `canticle` is a link to this repository, and our own dependencies can be found.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..');

/** Makes dist/ if it is not up to date; that is settled in a moment when it is. `npm test` has made it before. */
export function ensureBuilt(): void {
  if (process.env['CANTICLE_BUILT'] === undefined) run('node', ['scripts/build.mjs'], root);
}

interface Packed {
  /** The archive that npm would publish. */
  readonly archive: string;
  /** The output of npm, as JSON in a file. */
  readonly listing: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * The package as npm packs it. In a run of all suites the first that asks has it packed, and the others share it.
 * @param home a folder for it where suites run alone
 */
export function packed(home: string): Packed {
  const folder = process.env['CANTICLE_PACKED'] ?? join(home, 'packed');
  const listing = join(folder, 'listing.json');
  if (!existsSync(listing)) {
    const made = mkdtempSync(`${folder}-`);
    const args = ['pack', '--ignore-scripts', '--json', '--loglevel=silent'];
    const printed = run('npm', [...args, '--pack-destination', made], root);
    writeFileSync(join(made, 'listing.json'), printed);
    // Two workers may build at the same time: the first result is used.
    try {
      renameSync(made, folder);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      if (!existsSync(listing)) throw error;
    }
  }
  const [{ filename, files }] = JSON.parse(readFileSync(listing, 'utf8')) as [
    { filename: string; files: Packed['files'] },
  ];
  return { archive: join(folder, filename), listing, files };
}

/** The parts of the package that users install. */
const PACKAGED = [
  'package.json',
  'bin',
  'dist',
  'fixtures/messages',
  'fixtures/saved',
  'scenarios',
];

/** Copies the built package to the modules of a project, as an installation does: vitest treats a link as the user's own code. */
export function installBuilt(project: string): void {
  ensureBuilt();
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const part of PACKAGED)
    cpSync(join(root, part), join(modules, 'canticle', part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(project, '..', 'node_modules'));
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

  /** Type-checks each source and writes the JavaScript next to it. Throws what the compiler says. */
  compile(...options: readonly string[]): void {
    const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    run('node', [tsc, '-p', '.', ...options], this.folder);
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
