/**
 * Describes why a file could not be read or written.
 * NOTE: the texts about files and options are from Canticle, here and in all of `src/assembly`: users who start a Canticle read them.
 */
import { isError } from '../daml/errors/realms.js';

/** @returns a text for the system's code, or else the error's own message */
export function fileError(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8 text';
    default:
      return isError(error) ? error.message : String(error);
  }
}

/** An error about an unreadable file, with the system's code. @param what such as `the scenario 'x.yaml'` */
export function unreadable(what: string, cause: unknown, why = fileError(cause)): Error {
  const { code = 'EINVAL' } = cause as NodeJS.ErrnoException;
  return Object.assign(new Error(`Failed to read ${what}: ${why}.`, { cause }), { code });
}
