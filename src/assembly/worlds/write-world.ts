/** Writes the file of a world under a temporary name first, so that no program reads an incomplete file. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileError } from '../file-errors.js';

/** @throws Error with the system's `code` */
export function writeWorld(file: string, bytes: Uint8Array): void {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, file);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw Object.assign(
      new Error(`Failed to write the world '${file}': ${fileError(cause)}.`, { cause }),
      { code },
    );
  }
}
