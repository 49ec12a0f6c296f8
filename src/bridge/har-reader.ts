/** Reads a recording from the disk, one exchange after another. */
import { createReadStream } from 'node:fs';
import { EntryScanner } from '../recording/entry-scanner.js';
import type { HarEntry } from '../recording/har.js';

/**
 * @throws RecordingError if the file is not a HAR or is truncated, after the complete exchanges; the system's error
 * if it is unreadable
 */
export async function* readHar(path: string): AsyncGenerator<HarEntry> {
  const scanner = new EntryScanner();
  for await (const chunk of createReadStream(path, 'utf8')) yield* scanner.push(chunk as string);
  scanner.end();
}
