// Starts the servers of the cases: Canticle, bundled from the current sources, in separate processes.
import { fork } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../steps.mjs';

const code = join(root, '.cache', 'truth', 'code');
const dist = join(root, 'dist', 'cjs');
/** Set by `npm test`, which has just built the current sources. */
const isBuilt = process.env.CANTICLE_BUILT !== undefined;
const cli = isBuilt
  ? `require(${JSON.stringify(join(dist, 'load.js'))}).loadCommandLine('sandbox')`
  : `require('./cli/main.js')`;
const library = isBuilt
  ? `require(${JSON.stringify(join(dist, 'index.js'))})`
  : `require('./index.js')`;

/** Writes the program of the servers, and the code that it uses: one file for the command line and one for the library. */
export async function bundle() {
  await rm(code, { recursive: true, force: true });
  await mkdir(code, { recursive: true });
  await writeFile(join(code, 'package.json'), '{ "type": "commonjs" }\n');
  await writeFile(join(code, 'serve.cjs'), HOST);
  if (isBuilt) return;
  const { build } = await import('esbuild');
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
}

/** The program of a process that starts and stops servers when it is asked to. */
const HOST = `
const { EventEmitter } = require('node:events');
const stops = new Map();
const starts = {
  cli: (args, fail) =>
    new Promise((resolve) => {
      const signals = new EventEmitter();
      let said = '';
      const stream = { write: (text) => ((said += text), /ready/i.test(said) && resolve(() => signals.emit('SIGINT'))) };
      const terminal = { version: 'truth', stdin: process.stdin, stdout: stream, stderr: stream, signals, testWorker: '' };
      ${cli}.main(args, terminal).then((status) => fail('It ended with status ' + status + ': ' + said), fail);
    }),
  library: async ([options]) => {
    const canticle = await ${library}.startCanticle(JSON.parse(options));
    return () => canticle.close();
  },
};
process.on('message', ({ id, args: [kind, ...rest] }) => {
  if (kind === 'stop') return void stops.get(id)?.();
  const fail = (error) => process.send({ id, failure: String(error?.stack ?? error) });
  starts[kind](rest, fail).then((stop) => (stops.set(id, stop), process.send({ id })), fail);
});
`;

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

/** A process for servers. Those of one process share the code that V8 has compiled. */
export class Host {
  #child;
  /** The callbacks of each start, by its id. */
  #started = new Map();

  /** Resolves when the server serves. @param args of the program @returns a function that stops the server */
  serve(args) {
    const child = (this.#child ??= this.#start());
    const id = this.#started.size;
    return new Promise((resolve, reject) => {
      this.#started.set(id, {
        succeed: () => resolve(() => child.send({ id, args: ['stop'] })),
        fail: (reason) => reject(new Error(reason)),
      });
      child.send({ id, args });
    });
  }

  #start() {
    const child = fork(join(code, 'serve.cjs'), { cwd: root });
    running.add(child);
    child.on('message', ({ id, failure }) => {
      const { succeed, fail } = this.#started.get(id);
      if (failure === undefined) succeed();
      else fail(failure);
    });
    child.on('exit', (status) => {
      running.delete(child);
      for (const { fail } of this.#started.values())
        fail(`The process of Canticle ended with status ${status}.`);
    });
    return child;
  }
}
