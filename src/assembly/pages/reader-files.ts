/** The reader of documents (Swagger UI): a build has it compressed beside itself; sources as they stand take it from its package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

/** From the build. */
const FOLDER = '../reader/';

const cache = new Map<string, Uint8Array>();

/** @param name of a file of the package @returns it, compressed by gzip; undefined where it is neither here nor there */
export function readReader(name: string): Uint8Array | undefined {
  let found = cache.get(name);
  if (found === undefined) {
    found = built(name) ?? installed(name);
    if (found !== undefined) cache.set(name, found);
  }
  return found;
}

function built(name: string): Uint8Array | undefined {
  try {
    return readFileSync(new URL(`${FOLDER}${name}.gz`, import.meta.url));
  } catch {
    return undefined;
  }
}

function installed(name: string): Uint8Array | undefined {
  try {
    return gzipSync(
      readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)),
    );
  } catch {
    return undefined;
  }
}
