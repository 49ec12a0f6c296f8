/**
 * What a test file of jest pays for Canticle: from its first line to the first answer over HTTP, in a process of its own as a suite's
 * workers begin; beside a file in which a bare node:http server answers, as the first server and the first fetch of a process cost
 * something by themselves.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machine, spread } from './measure/report.js';

const RUNS = 5;
const ROOT = process.cwd();
const JEST = join(createRequire(join(ROOT, 'package.json')).resolve('jest'), '../../bin/jest.js');
const FOLDER = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
const FOUND = join(FOLDER, 'found.json');
const run = promisify(execFile);

const tell = (values: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(FOUND)}, JSON.stringify(${values}));`;

const FILES = {
  canticle: `
    const start = performance.now();
    const { useCanticle } = require(${JSON.stringify(join(ROOT, 'dist/cjs/testing/jest.js'))});
    const loaded = performance.now();
    const canticle = useCanticle();
    test('answers', async () => {
      const begun = performance.now();
      expect((await fetch(canticle.url + '/v2/version')).status).toBe(200);
      const end = performance.now();
      ${tell('{ loaded: loaded - start, begun: begun - loaded, answered: end - begun, all: end - start }')}
    });`,
  node: `
    test('answers', async () => {
      const start = performance.now();
      const server = require('node:http').createServer((_, response) => response.end('{}')).listen(0);
      await new Promise((resolve) => server.on('listening', resolve));
      expect((await fetch('http://127.0.0.1:' + server.address().port)).status).toBe(200);
      ${tell('{ all: performance.now() - start }')}
      server.close();
      server.closeAllConnections();
    });`,
} as const;

async function timesOf(name: keyof typeof FILES): Promise<Record<string, number>> {
  writeFileSync(join(FOLDER, 'one.test.js'), FILES[name]);
  await run(process.execPath, [JEST, '--rootDir', FOLDER], { cwd: FOLDER });
  return JSON.parse(readFileSync(FOUND, 'utf8')) as Record<string, number>;
}

machine();
writeFileSync(join(FOLDER, 'package.json'), '{ "jest": { "transform": {} } }');
await timesOf('canticle');
const times = { canticle: [] as Record<string, number>[], node: [] as Record<string, number>[] };
for (let n = 0; n < RUNS; n++)
  for (const name of ['canticle', 'node'] as const) times[name].push(await timesOf(name));
const all = (name: keyof typeof times, part: string): number[] =>
  times[name].map((each) => each[part]!);
spread('a jest file: import, instance, first HTTP answer', all('canticle', 'all'), 'ms');
spread('of which the import', all('canticle', 'loaded'), 'ms');
spread('of which the instance, until its test begins', all('canticle', 'begun'), 'ms');
spread('of which the first answer', all('canticle', 'answered'), 'ms');
spread('a bare node:http server and its first answer', all('node', 'all'), 'ms');
rmSync(FOLDER, { recursive: true });
