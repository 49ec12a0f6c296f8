// Starts the servers of the cases: Canticle, bundled from the current sources, in separate processes.
import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../steps.mjs';

const code = join(root, '.cache', 'truth', 'code');

/** One file for the command line and one for the library. */
export async function bundle() {
  const { build } = await import('esbuild');
  await rm(code, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts', 'src/index.ts'],
    outdir: code,
    outbase: 'src',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    logLevel: 'warning',
    sourcemap: true,
    define: { 'import.meta.url': 'importMetaUrl', CANTICLE_BUILD: '"truth"' },
    banner: {
      js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
    },
  });
  await writeFile(join(code, 'package.json'), '{ "type": "commonjs" }\n');
  await writeFile(
    join(code, 'serve.cjs'),
    `const [kind, ...rest] = process.argv.slice(2);
if (kind === 'cli') {
  const { stdin, stdout, stderr } = process;
  const terminal = { version: 'truth', stdin, stdout, stderr, signals: process, testWorker: '' };
  require('./cli/main.js').main(rest, terminal).then((status) => process.exit(status));
} else {
  require('./index.js').startCanticle(JSON.parse(rest[0])).then(
    () => console.log('ready'),
    (error) => { console.error(error); process.exit(1); },
  );
}
`,
  );
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** @returns the first of `count` ports in a row that are free. */
export async function freePorts(count) {
  for (let tries = 0; tries < 200; tries += 1) {
    const base = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = Array.from({ length: count }, (_, index) => base + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return base;
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Resolves when it serves. @param args of serve.cjs @returns a function that ends it */
export function serve(args) {
  const child = spawn(process.execPath, [join(code, 'serve.cjs'), ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk) => {
      said += chunk;
      if (/ready/i.test(said))
        resolve(() => {
          running.delete(child);
          child.kill('SIGKILL');
        });
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('exit', (status) => {
      running.delete(child);
      reject(new Error(`Canticle ended with status ${status}:\n${said}`));
    });
  });
}
