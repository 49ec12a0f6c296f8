/**
 * The rules of scripts/layers.cjs: imports run down only, and the engine has no clock, randomness or file. All code below is linted at
 * once, in a folder with the same structure and only these lines. This shows that the rules accept good code and reject bad code.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';

const root = join(__dirname, '..', '..');

/** The lines of each file. Each line must be independent: a name that two lines declare would be another fault. */
const lines = new Map<string, string[]>();
let found: Map<string, string[]>;

const placeOf = (file: string, line: number) => `${file}:${line}`;

/** Adds a line of code to be linted. @returns a function that returns its faults after the linting */
function line(file: string, code: string): () => readonly string[] {
  const own = lines.get(file) ?? [];
  lines.set(file, own);
  own.push(code.replace(/\b([xX])\b(?!\.)/g, `$1${own.length}`));
  const place = placeOf(file, own.length);
  return () => found.get(place) ?? [];
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-layers-'));
  try {
    for (const file of ['oxlint.config.mjs', 'scripts/layers.cjs'])
      cpSync(join(root, file), join(folder, file));
    for (const [file, texts] of lines) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), texts.join('\n'));
    }
    found = faultsIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The faults of the layers' rules in the sources of a folder, by place. */
function faultsIn(folder: string): Map<string, string[]> {
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const args = [oxlint, '-c', 'oxlint.config.mjs', '--format=json', 'src', 'test'];
  const { stdout, stderr } = spawnSync('node', args, { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout || stderr) as { diagnostics: Diagnostic[] };
  const faults = new Map<string, string[]>();
  for (const { filename, code, message, labels } of diagnostics) {
    if (code === undefined) throw new Error(`${filename}: ${message}`);
    if (!/^layers|no-restricted/.test(code)) continue;
    const place = placeOf(filename, labels[0]!.span.line);
    faults.set(place, [...(faults.get(place) ?? []), message]);
  }
  return faults;
}

interface Diagnostic {
  readonly message: string;
  readonly code?: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** A case, its title, and the function that returns its faults. */
const cases = (rows: readonly (readonly [file: string, code: string])[]) =>
  rows.map(([file, code]) => ({ file, code, faults: line(file, code) }));

describe('imports of a layer', () => {
  it.each(
    cases([
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
      [
        'src/services/ledger-api/state/state.ts',
        `import { x } from '../../../spec/operations.js';`,
      ],
      ['src/http/server.ts', `import express from 'express';`],
      ['src/http/issuer.ts', `import { randomBytes } from 'node:crypto';`],
      ['src/scenario/run.ts', `import { x } from '../wallet/amulet.js';`],
      ['src/scenario/document.ts', `import { parse } from 'yaml';`],
      ['src/assembly/start.ts', `import { x } from '../http/server.js';`],
      ['src/index.ts', `export { startCanticle } from './assembly/start.js';`],
      ['src/express.ts', `import { declineUpgrade } from './http/upgrades.js';`],
      ['src/http/in-process/fetch.ts', `import type { HttpEntry } from '../http-entry.js';`],
      ['src/cli/sandbox.ts', `import { startCanticle } from '../assembly/start.js';`],
      ['test/network/time.test.ts', `import { x } from '../../src/network/network.js';`],
    ]),
  )('$file: $code', ({ faults }) => {
    expect(faults()).toEqual([]);
  });

  it.each(
    cases([
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
      ['src/daml/model/values.ts', `import { statSync } from 'fs';`],
      ['src/daml/model/values.ts', `import { createRequire } from 'node:module';`],
      ['src/network/network.ts', `import express from 'express';`],
      ['src/network/network.ts', `import { x } from '../spec/schema.js';`],
      ['src/network/network.ts', `import { x } from '../token/rules.js';`],
      ['src/network/network.ts', `import { randomBytes } from 'node:crypto';`],
      ['src/network/network.ts', `import * as whole from 'node:crypto';`],
      ['src/network/network.ts', `import crypto from 'node:crypto';`],
      ['src/daml/model/hash.ts', `import { randomBytes } from 'node:crypto';`],
      ['src/network/network.ts', `import { x } from 'canticle';`],
      ['src/token/token-rules.ts', `import { x } from '../splice/splice.js';`],
      ['src/spec/schema.ts', `import { x } from '../http/server.js';`],
      ['src/http/server.ts', `import { x } from '../scenario/run.js';`],
      ['src/http/http-entry.ts', `import { x } from './in-process/in-process.js';`],
      ['src/http/dispatch.ts', `import { x } from './http-entry.js';`],
      // Transports leave the journal and the faults to the pipeline of calls.
      ['src/http/dispatch.ts', `import { x } from '../services/request-journal.js';`],
      ['src/grpc/ledger-port.ts', `import { x } from '../services/faults/under-faults.js';`],
      ['src/grpc/ledger-port.ts', `import type { X } from '../network/faults/faults.js';`],
      ['src/http/server.ts', `import { x } from '../assembly/start.js';`],
      ['src/services/handlers.ts', `import { x } from '../http/server.js';`],
      ['src/services/handlers.ts', `import { createServer } from 'node:http';`],
      // Code for pages has no files.
      ['src/scenario/file.ts', `import { readFile } from 'node:fs/promises';`],
      ['src/spec/schema.ts', `import { readFileSync } from 'node:fs';`],
      ['src/services/handlers.ts', `import { x } from '../scenario/run.js';`],
      ['src/wallet/amulet.ts', `import { x } from '../scenario/run.js';`],
      ['src/cli/sandbox.ts', `import { x } from '../http/server.js';`],
      ['src/testing/jest.ts', `import { x } from '../http/server.js';`],
      ['src/scenario/run.ts', `import { x } from '../http/server.js';`],
      ['src/assembly/start.ts', `import { x } from '../cli/main.js';`],
      ['src/assembly/start.ts', `import manifest from '../../package.json';`],
      ['src/utils/text.ts', `import { x } from '../daml/model/values.js';`],
    ]),
  )('$file: not $code', ({ faults }) => {
    expect(faults()).toHaveLength(1);
  });
});

describe('layers in a folder', () => {
  it.each(
    cases([
      ['src/daml/model/values.ts', `import { x } from '../lf/runtime/machine.js';`],
      ['src/daml/lf/runtime/machine.ts', `import type { X } from '../program.js';`],
      ['src/daml/codec/pretty.ts', `import { x } from './json/codec.js';`],
      ['src/daml/archive/dar-refusals.ts', `import { x } from './wire/wire.js';`],
      ['src/network/participant.ts', `import { x } from './network.js';`],
      ['src/network/network.ts', `import type { X } from './open.js';`],
      ['src/network/model/ids.ts', `import { x } from '../ledger/ledger.js';`],
      ['src/network/external/prepared/hashing.ts', `import { x } from '../execution.js';`],
      ['src/token/holdings/locks.ts', `import { x } from '../transfers/transfers.js';`],
      ['src/splice/dso/dso.ts', `import { x } from '../splice.js';`],
      ['src/services/handler.ts', `import { x } from './ledger-api/index.js';`],
      [
        'src/services/ledger-api/updates/updates.ts',
        `import { x } from '../commands/commands.js';`,
      ],
      ['src/services/scan/history/updates.ts', `import { x } from '../contracts/holdings.js';`],
      ['src/http/answers.ts', `import { x } from './dispatch.js';`],
      ['src/scenario/row.ts', `import { x } from './verbs/token.js';`],
      ['src/network/network.ts', `import { x } from '../daml/index.js';`],
      ['src/daml/model/values.ts', `import { x } from '../index.js';`],
      ['src/daml/somewhere/else.ts', `import { x } from '../model/values.js';`],
      ['src/network/ledger/in-flight.ts', `import { x } from '../elsewhere/journal.js';`],
    ]),
  )('$file: not $code', ({ faults }) => {
    expect(faults()).toHaveLength(1);
  });
});

describe('imports of a test', () => {
  it.each(
    cases([
      ['test/daml/lf/maps.test.ts', `import { x } from '../../../src/daml/lf/program.js';`],
      [
        'test/support/daml/lf-probe.ts',
        `import { x } from '../../../src/daml/archive/lf-world.js';`,
      ],
      [
        'test/network/external/signing.test.ts',
        `import { x } from '../../../src/network/model/keys.js';`,
      ],
      [
        'test/services/scan/votes.test.ts',
        `import { x } from '../../../src/splice/scan/votes.js';`,
      ],
      ['test/services/scan/votes.test.ts', `import { toHex } from '../../../src/daml/index.js';`],
      ['test/services/scan/votes.test.ts', `import { createCanticle } from 'canticle';`],
      ['test/testing/nock.test.ts', `import { x } from '../../src/express.js';`],
      ['test/http/streams/others.test.ts', `import { check } from '../../support/property.js';`],
      [
        'test/splice/amulet/rules.test.ts',
        `import { x } from '../../../src/testing/fast-check.js';`,
      ],
    ]),
  )('$file: $code', ({ faults }) => {
    expect(faults()).toEqual([]);
  });

  it.each(
    cases([
      [
        'test/services/scan/votes.test.ts',
        `import { Numeric } from '../../../src/daml/model/numeric.js';`,
      ],
      [
        'test/services/scan/votes.test.ts',
        `import type { X } from '../../../src/daml/model/values.js';`,
      ],
      ['test/services/scan/votes.test.ts', `export { x } from '../../../src/network/open.js';`],
      [
        'test/services/scan/votes.test.ts',
        `const x = await import('../../../src/network/open.js');`,
      ],
      ['test/services/scan/votes.test.ts', `const x = require('../../../src/network/open.js');`],
      ['test/daml/define/define.test.ts', `import { x } from '../../../src/network/open.js';`],
      ['test/network/users.test.ts', `import { x } from '../../src/daml/lf/program.js';`],
      ['test/conformance/tool.test.ts', `import { x } from '../../src/spec/versions.js';`],
      ['test/support/ledger.ts', `import { x } from '../../src/daml/codec/compare.js';`],
      ['test/support/splice/world.ts', `import { x } from '../../../src/testing/mount/a.js';`],
      ['test/testing/nock.test.ts', `import { x } from '../../src/assembly/start.js';`],
    ]),
  )('$file: not $code', ({ faults }) => {
    expect(faults()).toHaveLength(1);
  });
});

describe('restrictions of the engine', () => {
  const sealed = ['daml', 'network', 'token', 'splice', 'wallet', 'scenario'];
  /** The same code in a separate file in each of some layers. */
  const inLayers = (layers: readonly string[], title: string, codes: readonly string[]) =>
    codes.map((code, index) => ({
      code,
      faults: layers.map((layer) => line(`src/${layer}/${title}-${index}.ts`, code)),
    }));

  it.each(
    inLayers(sealed, 'allowed', [
      `export const at = (micros: bigint) => new Date(Number(micros / 1000n));`,
      `export const start = Date.UTC(2026, 0, 1);`,
      `export const half = Math.floor(5 / 2);`,
      `export const order = (a: string, b: string) => (a < b ? -1 : 1);`,
    ]),
  )('$code', ({ faults }) => {
    for (const each of faults) expect(each()).toEqual([]);
  });

  const refused = [
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
  ];
  it.each(inLayers(sealed, 'refused', refused))('not $code', ({ faults }) => {
    for (const each of faults) expect(each()).not.toEqual([]);
  });

  const waits = /setTimeout/;
  it.each(
    inLayers(
      ['http'],
      'open',
      refused.filter((code) => !waits.test(code)),
    ),
  )('but elsewhere $code', ({ faults }) => {
    for (const each of faults) expect(each()).toEqual([]);
  });
});

describe('values from another realm', () => {
  it.each(
    cases([
      ['src/http/body.ts', `export const x = (value: unknown) => value instanceof Uint8Array;`],
      ['src/daml/codec/json.ts', `export const x = (value: unknown) => value instanceof Map;`],
      ['src/cli/sandbox.ts', `export const x = (value: unknown) => value instanceof Error;`],
      ['src/testing/msw.ts', `export const x = (value: unknown) => value instanceof Blob;`],
      ['src/daml/archive/zip.ts', `export const x = new TextDecoder();`],
      ['src/recording/har.ts', `export const x = new TextEncoder();`],
      ['src/grpc/call.ts', `export const x = setTimeout(() => undefined, 1);`],
      ['src/services/pump.ts', `export const x = (work: () => void) => setImmediate(work);`],
      ['src/assembly/live.ts', `export const x = () => fetch('http://localhost');`],
      ['src/http/fetch.ts', `export const x = () => new Response();`],
    ]),
  )('$file: not $code', ({ faults }) => {
    expect(faults()).toHaveLength(1);
  });

  it.each(
    cases([
      ['src/http/body.ts', `export const x = (value: unknown) => value instanceof LedgerError;`],
      ['src/inspector/page/rows.tsx', `export const x = (e: Event) => e instanceof MouseEvent;`],
      ['src/inspector/page/rows.tsx', `export const x = () => fetch('/canticle');`],
      ['src/cli/watch.ts', `export const x = () => fetch('http://localhost');`],
      ['src/grpc/call.ts', `import { setTimeout as wait } from 'node:timers';`],
    ]),
  )('$file: $code', ({ faults }) => {
    expect(faults()).toEqual([]);
  });
});

it('no source disables a rule', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(`${sep}generated${sep}`))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'));
  const excuses = sources.flatMap((code) => code.match(/(?:es|ox)lint-disable.*/g) ?? []);
  const known = /^oxlint-disable-(next-)?line typescript\/[a-z-]+(, typescript\/[a-z-]+)* -- /;
  expect(excuses).not.toEqual([]);
  // The generated code for users disables ESLint for itself.
  const ours = excuses.filter((excuse) => !excuse.startsWith("eslint-disable */'"));
  expect(ours.filter((excuse) => !known.test(excuse))).toEqual([]);
});
