#!/usr/bin/env node
// The `canticle` command. It runs the built command line and leaves every decision to it.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const entry = new URL('../dist/cjs/load.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write(
    'canticle: it is not built yet. Run `npm run build` first, or `npm start`, which does it all.\n',
  );
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// Not by `import`, which reads the whole of a CommonJS file for its names first.
const require = createRequire(import.meta.url);
const { main } = require('../dist/cjs/load.js').loadCommandLine(process.argv[2]);
// npx starts a shell that starts this, and a signal ends npx and the shell alone.
const isFromNpx = process.env.npm_lifecycle_event === 'npx';
const status = await main(process.argv.slice(2), {
  version: manifest.version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  testWorker: fileURLToPath(new URL('../dist/cjs/cli/test/worker.js', import.meta.url)),
  mutateWorker: fileURLToPath(new URL('../dist/cjs/cli/mutate/worker.js', import.meta.url)),
  fuzzWorker: fileURLToPath(new URL('../dist/cjs/cli/fuzz/worker.js', import.meta.url)),
  parent: isFromNpx ? () => process.ppid : undefined,
});
// A report that is longer than the buffer of a pipe still waits for its reader.
const written = (stream) =>
  new Promise((resolve) => {
    if (stream.writableLength === 0) return resolve();
    stream.once('error', resolve);
    stream.write('', resolve);
  });
await Promise.all([process.stdout, process.stderr].map(written));
process.exit(status);
