/**
 * The rooms of the house: imports run down only, and the engine has no clock, chance or file. First the rule is shown
 * to know good from bad, then it is put to the sources on which the lint may not have the last word.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const root = join(__dirname, '..', '..');
// eslint-disable-next-line @typescript-eslint/no-require-imports -- the lint configuration is CommonJS and untyped
const { roomConfig } = require('../../scripts/rooms.cjs') as { roomConfig: Linter.Config[] };

const linter = new Linter({ cwd: root });
const parsing = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser as Linter.Parser },
  // Directives name rules of the whole configuration; only the rooms are of interest here, and nothing excuses them.
  linterOptions: { noInlineConfig: true },
};

function faults(file: string, code: string): string[] {
  const messages = linter.verify(code, [parsing, ...roomConfig], join(root, file));
  // That a directive is passed over is told as well, and is no fault.
  const faulty = messages.filter(({ ruleId, fatal }) => ruleId !== null || fatal === true);
  return faulty.map(({ line, message }) => `${file}:${line} ${message}`);
}

describe('what a room may import', () => {
  it.each([
    ['src/daml/model/values.ts', `import { x } from './types.js';`],
    ['src/daml/archive/lf-type.ts', `import { x } from '../model/types.js';`],
    ['src/daml/archive/zip/zip.ts', `import { inflateRawSync } from 'node:zlib';`],
    ['src/daml/archive/wire/wire.ts', `import { BinaryReader } from '@bufbuild/protobuf/wire';`],
    ['src/daml/model/hash.ts', `import { createHash } from 'node:crypto';`],
    ['src/daml/lf/builtins/noble.ts', `import { createRequire } from 'node:module';`],
    ['src/network/network.ts', `import type { Value } from '../daml/model/values.js';`],
    ['src/network/open.ts', `import { x } from './network.js';`],
    ['src/network/external/execution.ts', `import { x } from './prepared/hashing.js';`],
    ['src/network/ledger/in-flight.ts', `import { x } from './ledger.js';`],
    ['src/network/ledger/in-flight.ts', `import { x } from '../journal/journal.js';`],
    ['src/services/scan/index.ts', `import { x } from './history/updates.js';`],
    ['src/token/token-rules.ts', `import { x } from '../network/network.js';`],
    ['src/splice/dso/dso.ts', `import { x } from '../../network/network.js';`],
    ['src/services/ledger-api/state/state.ts', `import { x } from '../../../spec/operations.js';`],
    ['src/http/server.ts', `import express from 'express';`],
    ['src/http/issuer.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/scenario/run.ts', `import { x } from '../wallet/amulet.js';`],
    ['src/scenario/file.ts', `import { readFile } from 'node:fs/promises';`],
    ['src/assembly/start.ts', `import { x } from '../http/server.js';`],
    ['src/index.ts', `export { startCanticle } from './assembly/start.js';`],
    ['src/express.ts', `import { declineUpgrade } from './http/upgrades.js';`],
    ['src/http/in-process/fetch.ts', `import type { Door } from '../door.js';`],
    ['src/cli/sandbox.ts', `import { startCanticle } from '../assembly/start.js';`],
    ['test/network/time.test.ts', `import { x } from '../../src/network/network.js';`],
  ])('%s: %s', (file, code) => {
    expect(faults(file, code)).toEqual([]);
  });

  it.each([
    ['src/daml/model/values.ts', `import { x } from '../../network/network.js';`],
    ['src/daml/model/values.ts', `import type { X } from '../../network/network.js';`],
    ['src/daml/model/values.ts', `export { x } from '../../network/network.js';`],
    ['src/daml/model/values.ts', `export * from '../../network/network.js';`],
    ['src/daml/model/values.ts', `const x = await import('../../network/network.js');`],
    ['src/daml/model/values.ts', `let x: import('../../network/network.js').X;`],
    ['src/daml/model/values.ts', `import x = require('../../network/network.js');`],
    ['src/daml/model/values.ts', `const x = require('../../network/network.js');`],
    ['src/daml/archive/lf-type.ts', `import { x } from '../../network/network.js';`],
    ['src/daml/model/values.ts', `import Ajv from 'ajv';`],
    ['src/daml/model/values.ts', `import { readFileSync } from 'node:fs';`],
    ['src/daml/model/values.ts', `import { readFileSync } from 'fs';`],
    ['src/daml/model/values.ts', `import { createRequire } from 'node:module';`],
    ['src/network/network.ts', `import express from 'express';`],
    ['src/network/network.ts', `import { x } from '../spec/schema.js';`],
    ['src/network/network.ts', `import { x } from '../token/rules.js';`],
    ['src/network/network.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/network/network.ts', `import * as crypto from 'node:crypto';`],
    ['src/network/network.ts', `import crypto from 'node:crypto';`],
    ['src/daml/model/hash.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/network/network.ts', `import { x } from 'canticle';`],
    ['src/token/token-rules.ts', `import { x } from '../splice/splice.js';`],
    ['src/spec/schema.ts', `import { x } from '../http/server.js';`],
    ['src/http/server.ts', `import { x } from '../scenario/run.js';`],
    ['src/http/door.ts', `import { x } from './in-process/in-process.js';`],
    ['src/http/dispatch.ts', `import { x } from './door.js';`],
    ['src/http/server.ts', `import { x } from '../assembly/start.js';`],
    ['src/services/handlers.ts', `import { x } from '../http/server.js';`],
    ['src/services/handlers.ts', `import { createServer } from 'node:http';`],
    ['src/services/handlers.ts', `import { x } from '../scenario/run.js';`],
    ['src/wallet/amulet.ts', `import { x } from '../scenario/run.js';`],
    ['src/cli/sandbox.ts', `import { x } from '../http/server.js';`],
    ['src/testing/jest.ts', `import { x } from '../http/server.js';`],
    ['src/scenario/run.ts', `import { x } from '../http/server.js';`],
    ['src/assembly/start.ts', `import { x } from '../cli/main.js';`],
    ['src/assembly/start.ts', `import manifest from '../../package.json';`],
    ['src/utils/text.ts', `import { x } from '../daml/model/values.js';`],
  ])('not %s: %s', (file, code) => {
    expect(faults(file, code)).toHaveLength(1);
  });
});

describe('the inner walls', () => {
  it.each([
    ['src/daml/model/values.ts', `import { x } from '../lf/runtime/machine.js';`],
    ['src/daml/lf/runtime/machine.ts', `import type { X } from '../program.js';`],
    ['src/daml/codec/pretty.ts', `import { x } from './json/codec.js';`],
    ['src/daml/archive/dar-refusals.ts', `import { x } from './wire/wire.js';`],
    ['src/network/participant.ts', `import { x } from './network.js';`],
    ['src/network/network.ts', `import type { X } from './open.js';`],
    ['src/network/ids.ts', `import { x } from './updates.js';`],
    ['src/network/external/prepared/hashing.ts', `import { x } from '../execution.js';`],
    ['src/token/holdings/locks.ts', `import { x } from '../transfers/transfers.js';`],
    ['src/splice/dso/dso.ts', `import { x } from '../splice.js';`],
    ['src/services/handler.ts', `import { x } from './ledger-api/index.js';`],
    ['src/services/ledger-api/updates/updates.ts', `import { x } from '../commands/commands.js';`],
    ['src/services/scan/history/updates.ts', `import { x } from '../contracts/holdings.js';`],
    ['src/http/answers.ts', `import { x } from './dispatch.js';`],
    ['src/scenario/row.ts', `import { x } from './verbs/token.js';`],
    ['src/network/network.ts', `import { x } from '../daml/index.js';`],
    ['src/daml/model/values.ts', `import { x } from '../index.js';`],
    ['src/daml/somewhere/else.ts', `import { x } from '../model/values.js';`],
    ['src/network/ledger/in-flight.ts', `import { x } from '../elsewhere/journal.js';`],
  ])('%s: not %s', (file, code) => {
    expect(faults(file, code)).toHaveLength(1);
  });
});

describe('what a test may import', () => {
  it.each([
    ['test/daml/lf/maps.test.ts', `import { x } from '../../../src/daml/lf/program.js';`],
    ['test/support/daml/lf-probe.ts', `import { x } from '../../../src/daml/archive/lf-world.js';`],
    ['test/network/external/signing.test.ts', `import { x } from '../../../src/network/keys.js';`],
    ['test/services/scan/votes.test.ts', `import { x } from '../../../src/splice/scan/votes.js';`],
    ['test/services/scan/votes.test.ts', `import { Numeric } from '../../../src/daml/index.js';`],
    ['test/services/scan/votes.test.ts', `import { createCanticle } from 'canticle';`],
    ['test/testing/nock.test.ts', `import { x } from '../../src/express.js';`],
    ['test/http/streams/others.test.ts', `import { check } from '../../support/property.js';`],
    ['test/splice/amulet/rules.test.ts', `import { x } from '../../../src/testing/fast-check.js';`],
  ])('%s: %s', (file, code) => {
    expect(faults(file, code)).toEqual([]);
  });

  it.each([
    [
      'test/services/scan/votes.test.ts',
      `import { Numeric } from '../../../src/daml/model/numeric.js';`,
    ],
    [
      'test/services/scan/votes.test.ts',
      `import type { X } from '../../../src/daml/model/values.js';`,
    ],
    ['test/services/scan/votes.test.ts', `export { x } from '../../../src/network/open.js';`],
    ['test/services/scan/votes.test.ts', `const x = await import('../../../src/network/open.js');`],
    ['test/services/scan/votes.test.ts', `const x = require('../../../src/network/open.js');`],
    ['test/daml/define/define.test.ts', `import { x } from '../../../src/network/open.js';`],
    ['test/network/users.test.ts', `import { x } from '../../src/daml/lf/program.js';`],
    ['test/conformance/tool.test.ts', `import { x } from '../../src/spec/versions.js';`],
    ['test/support/ledger.ts', `import { x } from '../../src/daml/codec/compare.js';`],
    ['test/support/splice/world.ts', `import { x } from '../../../src/testing/mount/a.js';`],
    ['test/testing/nock.test.ts', `import { x } from '../../src/assembly/start.js';`],
  ])('%s: not %s', (file, code) => {
    expect(faults(file, code)).toHaveLength(1);
  });
});

describe('what the engine may do', () => {
  it.each([
    `export const at = (micros: bigint) => new Date(Number(micros / 1000n));`,
    `export const start = Date.UTC(2026, 0, 1);`,
    `export const half = Math.floor(5 / 2);`,
    `export const order = (a: string, b: string) => (a < b ? -1 : 1);`,
  ])('%s', (code) => {
    expect(faults('src/network/clock.ts', code)).toEqual([]);
  });

  it.each([
    `export const now = Date.now();`,
    `export const now = new Date();`,
    `export const now = Date();`,
    `export const now = performance.now();`,
    `export const now = globalThis.performance.now();`,
    `export const die = Math.random();`,
    `export const id = crypto.randomUUID();`,
    `export const later = setTimeout(() => {}, 1);`,
    `export const place = process.env;`,
    `export const order = (a: string, b: string) => a.localeCompare(b);`,
  ])('not %s', (code) => {
    for (const room of ['daml', 'network', 'token', 'splice', 'wallet', 'scenario']) {
      expect(faults(`src/${room}/clock.ts`, code)).not.toEqual([]);
    }
    expect(faults('src/http/clock.ts', code)).toEqual([]);
  });
});

it('holds for every source that excuses itself from a rule; the others are held to it by the lint', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('src/spec/generated')));
  expect(sources).toContain(join('src/daml/model/values.ts'));
  const excused = sources
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
    .filter(([, code]) => code.includes('eslint-'));
  expect(excused).not.toEqual([]);
  expect(excused.flatMap(([file, code]) => faults(file, code))).toEqual([]);
});
