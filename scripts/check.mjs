// `npm run check`: types, lint, format, unused exports. It runs two steps at a time. A passing step prints no output,
// and each step runs, so that one run shows all faults.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cache, endWith, generate, root, runNode, tool } from './steps.mjs';

const at = (name) => join(cache, name);
/** Each checker computes common types again: four take 30% more processor time than one. */
const checkers = String(Math.max(1, Math.min(4, availableParallelism() >> 1)));
// The longest first.
const steps = [
  [
    'types',
    [
      ...[tool('typescript-7/bin/tsc'), '-p', '.', '--checkers', checkers],
      ...['--incremental', '--tsBuildInfoFile', at('tsc.json')],
    ],
  ],
  ['types of the page', [tool('typescript-7/bin/tsc'), '-p', 'src/inspector/page']],
  [
    'lint',
    [
      tool('oxlint/bin/oxlint'),
      '-c',
      'oxlint.config.mjs',
      '--report-unused-disable-directives-severity=error',
    ],
  ],
  ['format', [tool('oxfmt/bin/oxfmt'), '--list-different']],
  ['prose', ['scripts/prose.mjs']],
  ['unused exports', [tool('knip/bin/knip.js'), '--no-progress']],
];

async function check() {
  await generate();
  await mkdir(cache, { recursive: true });
  const queue = [...steps];
  const failed = [];
  const worker = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const [name, args] = step;
      const faults = await runNode(args, { capture: true }).then(
        () => undefined,
        (error) => error.output || error.message,
      );
      console.log(`check: ${name} ${faults === undefined ? 'ok' : `failed\n${faults}`}`);
      if (faults !== undefined) failed.push(name);
    }
  };
  await Promise.all([worker(), worker()]);
  if (failed.length > 0) {
    console.error(`check: failed: ${failed.join(', ')} (in ${root})`);
    process.exitCode = 1;
  }
}

endWith(check());
