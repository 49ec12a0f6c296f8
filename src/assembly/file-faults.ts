/**
 * Why a file could not be read or written, in words.
 * NOTE: what is told of files and options is in words of ours, here and in this whole room: it is told to who starts a
 * Canticle.
 */
import { isError } from '../daml/errors/realms.js';

/** @returns the words for the system's code, else the error's own message */
export function fileFault(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is no text in UTF-8';
    default:
      return isError(error) ? error.message : String(error);
  }
}

/** What could not be read, as an error that keeps the system's code. @param what such as `the scenario 'x.yaml'` */
export function unreadable(what: string, cause: unknown, why = fileFault(cause)): Error {
  const { code = 'EINVAL' } = cause as NodeJS.ErrnoException;
  return Object.assign(new Error(`Failed to read ${what}: ${why}.`, { cause }), { code });
}
