// Installs if node_modules does not match package-lock.json. Otherwise it is fast and prints nothing. It compares versions and not times
// of files: a checkout touches the lock file too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './steps.mjs';

/** Why an install is needed, or undefined. npm records its installed packages in a hidden lock file. */
export function reasonToInstall(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return 'nothing is installed yet';
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    // Optional packages are those of other platforms; they are rightly absent here.
    if (path === '' || optional || devOptional) continue;
    if (installed[path]?.version !== version) return `${path} should be at ${version}`;
  }
  return undefined;
}

/**
 * The binaries of a system that a lock file omits, as `package: binary`: then `npm ci` fails. npm omits binaries
 * that the registry lacked when it wrote the file. Lock a version with all binaries instead.
 */
export function missingBinaries({ packages }) {
  const isLocked = (path, name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
      if (at === '') return false;
      if (!at.includes('/node_modules/')) at = '';
    }
  };
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path}: ${name}`),
  );
}

export function ensureInstalled(folder = root) {
  const reason = reasonToInstall(folder);
  if (reason === undefined) return;
  console.log(`install: ${reason}; running npm install`);
  // Not `npm ci`, which first removes all installed packages. This also installs the locked versions, and writes no
  // lock file. It does not download versions from npm's cache again. The build tools are development dependencies, so
  // they are asked for even where NODE_ENV says otherwise.
  const args = [
    'install',
    '--no-save',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] };
  const npm = process.env.npm_execpath;
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (error) throw error;
  if (status !== 0) {
    console.error('install: npm install failed; its own message stands above');
    process.exit(status ?? 1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
