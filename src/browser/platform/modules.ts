/** The modules of Node and the packages that packs require, in a browser. */
import * as secp256k1 from '@noble/curves/secp256k1';
import * as nist from '@noble/curves/nist';
import * as sha3 from '@noble/hashes/sha3';
import * as pako from 'pako';
import { PageBuffer } from './bytes.js';
import * as crypto from './crypto.js';
import { missingModule } from './missing.js';
import { pageProcess } from './process.js';
import * as timers from './timers.js';
import * as util from './util.js';
import * as zlib from './zlib.js';

const { fetch, ReadableStream } = globalThis;

/** In addition to those of the page. */
const OWN: Readonly<Record<string | symbol, unknown>> = {
  Buffer: PageBuffer,
  process: pageProcess,
  // As a function of another object it would not run.
  fetch: (...args: Parameters<typeof fetch>) => fetch(...args),
};

/** The globals that packs look up at their start. */
export const globals: object = new Proxy(globalThis, {
  get: (page, name) => (Object.hasOwn(OWN, name) ? OWN[name] : Reflect.get(page, name, page)),
  has: (page, name) => Object.hasOwn(OWN, name) || Reflect.has(page, name),
});

/** By the name in an import. Packages that few pages need are added when they arrive. */
export const packages: Record<string, unknown> = {
  pako,
  '@noble/curves/secp256k1': secp256k1,
  '@noble/curves/nist': nist,
  '@noble/hashes/sha3': sha3,
};

/** @throws Error for a package that this build does not contain */
export async function importPackage(name: string): Promise<void> {
  if (name === 'yaml') packages[name] = await import('yaml');
}

export const builtIns: Readonly<Record<string, unknown>> = {
  'node:crypto': { ...crypto, default: crypto },
  'node:module': { createRequire: () => (name: string) => packages[name] ?? missingModule(name) },
  'node:stream/web': { ReadableStream },
  'node:timers': timers,
  'node:util': util,
  'node:vm': { runInThisContext: () => globals, Script: missingScript() },
  'node:zlib': { ...zlib },
};

function missingScript(): unknown {
  return (missingModule('node:vm') as { readonly Script: unknown }).Script;
}
