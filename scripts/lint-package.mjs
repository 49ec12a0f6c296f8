// Checks the package that a user would install: its size, and the findings of publint and "Are the types wrong?". Run
// by test/repository/packaging.test.ts, which builds it first; prints a line a fault, and the weight where there is none.
//
//   node scripts/lint-package.mjs [LISTING]      LISTING: what `npm pack --json` printed, where it is packed already
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Package, checkPackage } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { endWith, root } from './steps.mjs';

/** Unpacked. The size that an editor, a worker or a CI container reads and copies. */
const MAX_BYTES = 10_000_000;

/**
 * `canticle/vitest` is a module alone, as vitest is, and so are the modules for browsers. The types of `canticle/vitest`
 * are for CommonJS as well, since a test file that TypeScript takes for Vitest runs CommonJS as an ES module anyway.
 */
const isWanted = ({ kind, entrypoint, typesFileName }) =>
  (kind === 'CJSResolvesToESM' && /^\.\/(vitest|browser)/.test(entrypoint)) ||
  (kind === 'FalseCJS' && typesFileName.endsWith('cjs/testing/vitest.d.ts'));

function packed(listing) {
  if (listing !== undefined) return JSON.parse(readFileSync(listing, 'utf8'))[0];
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync('npm', args, options);
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  return JSON.parse(stdout.slice(stdout.indexOf('[')))[0];
}

async function faultsOfPublint(manifest, files) {
  const { messages } = await publint({
    pkgDir: 'package',
    strict: true,
    pack: { files: files.map(({ name, data }) => ({ name: `package/${name}`, data })) },
  });
  return messages.map((message) => `publint: ${formatMessage(message, manifest)}`);
}

async function faultsOfTypes(manifest, files) {
  const code = files.filter(({ name }) => /\.([cm]?js|ts|json)$/.test(name));
  const inPlace = code.map(({ name, data }) => [`/node_modules/${manifest.name}/${name}`, data]);
  const { problems, entrypoints } = await checkPackage(
    new Package(Object.fromEntries(inPlace), manifest.name, manifest.version),
    { excludeEntrypoints: Object.keys(manifest.exports).filter((name) => /\*|json$/.test(name)) },
  );
  const shown = problems.filter((problem) => !isWanted(problem));
  if (Object.keys(entrypoints).length < 11) shown.push({ kind: 'NoEntrypoints' });
  return shown.map((problem) => `types: ${JSON.stringify(problem)}`);
}

async function lint() {
  const { unpackedSize, files: listed } = packed(process.argv[2]);
  const files = listed.map(({ path }) => ({ name: path, data: readFileSync(join(root, path)) }));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const faults = [
    ...(await faultsOfPublint(manifest, files)),
    ...(await faultsOfTypes(manifest, files)),
  ];
  if (unpackedSize > MAX_BYTES)
    faults.push(`weight: ${unpackedSize} bytes unpacked are more than ${MAX_BYTES}`);
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
  } else console.log(`package: ${(unpackedSize / 1e6).toFixed(2)} MB in ${files.length} files`);
}

endWith(lint());
