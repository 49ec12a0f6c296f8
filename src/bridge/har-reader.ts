/** A recording on the disk, one exchange after another. */
import { createReadStream } from 'node:fs';
import { EntryScanner } from '../recording/entry-scanner.js';
import type { HarEntry } from '../recording/har.js';

/** @throws RecordingError where it is no HAR or is torn, behind the exchanges that are whole; the system's error where it cannot be read */
export async function* readHar(path: string): AsyncGenerator<HarEntry> {
  const scanner = new EntryScanner();
  for await (const chunk of createReadStream(path, 'utf8')) yield* scanner.push(chunk as string);
  scanner.end();
}
