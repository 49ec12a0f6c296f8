/**
 * The files of Swagger UI, which shows API documents. A build contains them compressed; without a build they come from the npm package.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

/** Relative to the build. */
const FOLDER = '../reader/';

const cache = new Map<string, Uint8Array>();

/** @param name of a file of the package @returns the file compressed by gzip; undefined if it does not exist */
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
