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
    ['src/daml/values.ts', `import { x } from './types.js';`],
    ['src/daml/archive/decode.ts', `import { x } from '../types.js';`],
    ['src/daml/archive.ts', `import { inflateRawSync } from 'node:zlib';`],
    ['src/daml/archive.ts', `import { BinaryReader } from '@bufbuild/protobuf/wire';`],
    ['src/daml/hashes.ts', `import { createHash } from 'node:crypto';`],
    ['src/network/network.ts', `import type { Value } from '../daml/values.js';`],
    ['src/token/rules.ts', `import { x } from '../network/network.js';`],
    ['src/splice/rounds.ts', `import { x } from '../network/network.js';`],
    ['src/http/ledger-api/state.ts', `import { x } from '../../spec/ledger-api/state.js';`],
    ['src/http/server.ts', `import express from 'express';`],
    ['src/http/auth.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/scenario/run.ts', `import { x } from '../token/rules.js';`],
    ['src/scenario/file.ts', `import { readFile } from 'node:fs/promises';`],
    ['src/start.ts', `import { x } from './http/server.js';`],
    ['src/index.ts', `export { startCanticle } from './start.js';`],
    ['src/cli/sandbox.ts', `import { startCanticle } from '../start.js';`],
    ['test/network/time.test.ts', `import { x } from '../../src/network/network.js';`],
  ])('%s: %s', (file, code) => {
    expect(faults(file, code)).toEqual([]);
  });

  it.each([
    ['src/daml/values.ts', `import { x } from '../network/network.js';`],
    ['src/daml/values.ts', `import type { X } from '../network/network.js';`],
    ['src/daml/values.ts', `export { x } from '../network/network.js';`],
    ['src/daml/values.ts', `export * from '../network/network.js';`],
    ['src/daml/values.ts', `const x = await import('../network/network.js');`],
    ['src/daml/values.ts', `let x: import('../network/network.js').X;`],
    ['src/daml/values.ts', `import x = require('../network/network.js');`],
    ['src/daml/values.ts', `const x = require('../network/network.js');`],
    ['src/daml/archive/decode.ts', `import { x } from '../../network/network.js';`],
    ['src/daml/values.ts', `import Ajv from 'ajv';`],
    ['src/daml/values.ts', `import { readFileSync } from 'node:fs';`],
    ['src/daml/values.ts', `import { readFileSync } from 'fs';`],
    ['src/network/network.ts', `import express from 'express';`],
    ['src/network/network.ts', `import { x } from '../spec/schema.js';`],
    ['src/network/network.ts', `import { x } from '../token/rules.js';`],
    ['src/network/network.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/network/network.ts', `import * as crypto from 'node:crypto';`],
    ['src/network/network.ts', `import crypto from 'node:crypto';`],
    ['src/daml/hash.ts', `import { randomBytes } from 'node:crypto';`],
    ['src/network/network.ts', `import { x } from 'canticle';`],
    ['src/token/rules.ts', `import { x } from '../splice/rounds.js';`],
    ['src/spec/schema.ts', `import { x } from '../http/server.js';`],
    ['src/http/server.ts', `import { x } from '../scenario/run.js';`],
    ['src/http/server.ts', `import { x } from '../start.js';`],
    ['src/scenario/run.ts', `import { x } from '../http/server.js';`],
    ['src/start.ts', `import { x } from './cli/main.js';`],
    ['src/start.ts', `import manifest from '../package.json';`],
    ['src/utils/text.ts', `import { x } from '../daml/values.js';`],
  ])('not %s: %s', (file, code) => {
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
    for (const room of ['daml', 'network', 'token', 'splice', 'scenario']) {
      expect(faults(`src/${room}/clock.ts`, code)).not.toEqual([]);
    }
    expect(faults('src/http/clock.ts', code)).toEqual([]);
  });
});

it('holds for every source that excuses itself from a rule; the others are held to it by the lint', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('src/spec/generated')));
  expect(sources).toContain(join('src/daml/values.ts'));
  const excused = sources
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
    .filter(([, code]) => code.includes('eslint-'));
  expect(excused).not.toEqual([]);
  expect(excused.flatMap(([file, code]) => faults(file, code))).toEqual([]);
});
