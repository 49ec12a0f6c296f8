// The shared parts of the scripts: paths, the execution of steps, and the generator. It uses
// Node's own modules alone, because `npm start` and `npm test` call it before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Kept inside node_modules, so that a fresh install also starts with fresh caches. */
export const cache = join(root, 'node_modules', '.cache', 'canticle');

/**
 * Runs Node on a script. Rejects when the status is not 0. Prints the output of the script. With `capture` the
 * output is the result, or part of the error. With `oneStream` all output goes to stdout, in its order.
 */
export function runNode(args, { capture = false, oneStream = false } = {}) {
  return new Promise((resolve, reject) => {
    const shown = ['ignore', 'inherit', oneStream ? 1 : 'inherit'];
    const stdio = capture ? ['ignore', 'pipe', 'pipe'] : shown;
    const child = spawn(process.execPath, args, { cwd: root, stdio });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      if (status === 0) resolve(output);
      else reject(new StepFailed(args, status ?? 1, signal, output));
    });
  });
}

export class StepFailed extends Error {
  constructor(args, status, signal, output) {
    const how = signal ? `was ended by ${signal}` : `ended with status ${status}`;
    super(`\`node ${args.join(' ')}\` ${how}.`);
    this.status = status;
    this.output = output;
  }
}

/** The path of a tool's script, as its package names it in "bin". */
export const tool = (path) => join(root, 'node_modules', path);

/** Makes src/spec/generated/, which the sources import. */
export async function generate() {
  if (existsSync(join(root, 'scripts', 'generate.mjs'))) await runNode(['scripts/generate.mjs']);
  else console.log('generate: nothing to generate, scripts/generate.mjs is not there');
}

/** Ends a script as its steps ended: a failed step has said why already, anything else is shown whole. */
export function endWith(promise) {
  promise.catch((error) => {
    console.error(error instanceof StepFailed ? error.message : error);
    process.exitCode = error instanceof StepFailed ? error.status : 1;
  });
}
