/**
 * The cost of Canticle for a test file of jest: from its first line to the first answer over HTTP, in a separate
 * process, as workers start. Compares it with a file that uses a bare node:http server, because the first server
 * and the first fetch of a process have their own cost.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IOU, iou } from '../measure/iou.js';
import { machine, spread } from '../measure/report.js';

const RUNS = 5;
const ROOT = process.cwd();
const JEST = join(createRequire(join(ROOT, 'package.json')).resolve('jest'), '../../bin/jest.js');
const FOLDER = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
const FOUND = join(FOLDER, 'found.json');
const run = promisify(execFile);

const writeResult = (values: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(FOUND)}, JSON.stringify(${values}));`;

const DIST = join(ROOT, 'dist/cjs');
/** The same build, where each lookup of a global goes to the sandbox. */
const LOOKING_UP = join(FOLDER, 'node_modules/canticle/dist/cjs');

const canticleFile = (dist: string): string => `
    const start = performance.now();
    const cpu = process.cpuUsage();
    const { useCanticle } = require(${JSON.stringify(join(dist, 'testing/jest.js'))});
    const loaded = performance.now();
    const canticle = useCanticle();
    test('answers', async () => {
      const begun = performance.now();
      expect((await fetch(canticle.url + '/v2/version')).status).toBe(200);
      const end = performance.now();
      const { user, system } = process.cpuUsage(cpu);
      const bank = canticle.participant.allocateParty('bank');
      const payload = ${JSON.stringify(iou('', ''))};
      const creates = () => {
        const before = process.cpuUsage();
        for (let n = 0; n < 100; n++)
          canticle.participant.create('${IOU}', { ...payload, issuer: bank, owner: bank }, { actAs: [bank] });
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      const created = Math.min(...Array.from({ length: 20 }, creates));
      ${writeResult('{ loaded: loaded - start, begun: begun - loaded, answered: end - begun, all: end - start, cpu: (user + system) / 1000, created }')}
    });`;

const FILES = {
  canticle: canticleFile(DIST),
  // Without the V8 code cache, which a sandbox loads by src/assembly/cache/realm.ts.
  unkept: canticleFile(DIST),
  lookingUp: canticleFile(LOOKING_UP),
  node: `
    test('answers', async () => {
      const start = performance.now();
      const server = require('node:http').createServer((_, response) => response.end('{}')).listen(0);
      await new Promise((resolve) => server.on('listening', resolve));
      expect((await fetch('http://127.0.0.1:' + server.address().port)).status).toBe(200);
      ${writeResult('{ all: performance.now() - start }')}
      server.close();
      server.closeAllConnections();
    });`,
} as const;

type Name = keyof typeof FILES;

async function timesOf(name: Name): Promise<Record<string, number>> {
  writeFileSync(join(FOLDER, 'one.test.js'), FILES[name]);
  const cache = name === 'unkept' ? 'off' : join(FOLDER, `cache-${name}`);
  const env = { ...process.env, CANTICLE_CACHE: cache };
  await run(process.execPath, [JEST, '--rootDir', FOLDER], { cwd: FOLDER, env });
  return JSON.parse(readFileSync(FOUND, 'utf8')) as Record<string, number>;
}

function writeLookingUp(): void {
  cpSync(DIST, LOOKING_UP, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(FOLDER, 'node_modules/canticle/node_modules'));
  for (const name of readdirSync(LOOKING_UP).filter((each) => each.startsWith('pack'))) {
    const file = join(LOOKING_UP, name);
    if (!statSync(file).isFile() || !name.endsWith('.js')) continue;
    const code = readFileSync(file, 'latin1');
    writeFileSync(file, code.replace(/const \{[^}]*\} = globalThis;/, ''), 'latin1');
  }
}

const NAMES = ['canticle', 'unkept', 'lookingUp', 'node'] as const;

machine();
writeFileSync(join(FOLDER, 'package.json'), '{ "jest": { "transform": {} } }');
writeLookingUp();
for (const name of NAMES) await timesOf(name);
const times: Record<Name, Record<string, number>[]> = {
  canticle: [],
  unkept: [],
  lookingUp: [],
  node: [],
};
for (let n = 0; n < RUNS; n++) for (const name of NAMES) times[name].push(await timesOf(name));
const all = (name: Name, part: string): number[] => times[name].map((each) => each[part]!);
spread('a jest file: import, instance, first HTTP answer', all('canticle', 'all'), 'ms');
spread('of which the import', all('canticle', 'loaded'), 'ms');
spread('of which the instance, until its test begins', all('canticle', 'begun'), 'ms');
spread('of which the first answer', all('canticle', 'answered'), 'ms');
spread('processor time of the whole', all('canticle', 'cpu'), 'ms');
spread("the same without V8's code cache", all('unkept', 'cpu'), 'ms');
spread('a bare node:http server and its first answer', all('node', 'all'), 'ms');
spread('100 creates in a jest file', all('canticle', 'created'), 'ms');
spread('the same where globals are not looked up once', all('lookingUp', 'created'), 'ms');
rmSync(FOLDER, { recursive: true });
