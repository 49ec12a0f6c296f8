/** A `canticle` command in this process: what it prints, and how it ends. */
import { EventEmitter } from 'node:events';
import { main } from '../../src/cli/main.js';

export async function runHere(...argv: readonly string[]) {
  const out = { stdout: '', stderr: '' };
  const signals = new EventEmitter();
  const terminal = {
    version: '0',
    stdin: process.stdin,
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
    signals,
  };
  return { status: await main(argv, terminal), ...out };
}
