/** Which V8 made something that it alone can read. */
import { createHash } from 'node:crypto';
import { cachedDataVersionTag } from 'node:v8';

let build: string | undefined;

/**
 * By its version and flags and by all that Node was built with: V8 asks for the former alone, and a process ends where it reads what
 * another build of the same version has made, as Node's of a later month.
 */
export function engineName(): string {
  build ??= createHash('sha256')
    .update(JSON.stringify([process.versions, process.config.variables]))
    .digest('hex')
    .slice(0, 16);
  return `${process.arch}-${cachedDataVersionTag().toString(16)}-${build}`;
}
