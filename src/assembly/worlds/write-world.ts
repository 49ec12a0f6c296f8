/** Files of worlds appear whole: under another name first, so that nobody ever reads a part of one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileFault } from '../file-faults.js';

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
      new Error(`Failed to write the world '${file}': ${fileFault(cause)}.`, { cause }),
      { code },
    );
  }
}
