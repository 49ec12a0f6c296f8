/**
 * Writes a recording to the disk, one exchange after another. After each exchange the file is a complete HAR, even
 * if the process ends. No exchange stays in memory.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { HarEntry } from '../recording/har.js';
import { removalsText, SecretRules, type Removals } from '../recording/secrets.js';

export class HarWriter {
  private readonly file: number;
  private readonly secrets = new SecretRules();
  /** The position of the next exchange. */
  private end: number;
  private count = 0;

  /** Replaces an existing file. @throws the system's error if the file is not writable */
  constructor(path: string, creator: { readonly name: string; readonly version: string }) {
    this.file = openSync(path, 'w');
    const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[\n`;
    this.end = this.put(head, 0);
    this.put(this.tail(), this.end);
  }

  /** The number of exchanges. */
  get entries(): number {
    return this.count;
  }

  get removed(): Removals {
    return this.secrets.removed;
  }

  /** Removes the secrets of an exchange, and writes it. */
  add(entry: HarEntry): void {
    const text = JSON.stringify(this.secrets.clean(entry));
    const start = this.end;
    this.end = this.put(`${this.count === 0 ? '' : ',\n'}${text}`, start);
    this.count += 1;
    this.put(this.tail(), this.end);
  }

  close(): void {
    closeSync(this.file);
  }

  private tail(): string {
    const removed = removalsText(this.removed);
    const comment = removed === '' ? '' : `,"comment":${JSON.stringify(`Removed: ${removed}`)}`;
    return `\n]${comment}}}\n`;
  }

  /** @returns the end position */
  private put(text: string, position: number): number {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.file, bytes, done, bytes.length - done, position + done);
    return position + bytes.length;
  }
}
