/** Identifies the V8 that wrote a code cache: no other V8 can read it. */
import { createHash } from 'node:crypto';
import { cachedDataVersionTag } from 'node:v8';

let build: string | undefined;

/**
 * Includes the version and flags of V8, and the build configuration of Node. V8 checks only its version and flags, but a process crashes
 * if it reads a cache of another build with the same version, such as a later Node release.
 */
export function engineName(): string {
  build ??= createHash('sha256')
    .update(JSON.stringify([process.versions, process.config.variables]))
    .digest('hex')
    .slice(0, 16);
  return `${process.arch}-${cachedDataVersionTag().toString(16)}-${build}`;
}
