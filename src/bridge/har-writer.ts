/**
 * A recording while it grows: one exchange after another goes to the disk, and the file is a whole HAR after each, whatever happens
 * to the process. Nothing of it is kept in memory.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { HarEntry } from '../recording/har.js';
import { removalsText, SecretRules, type Removals } from '../recording/secrets.js';

export class HarWriter {
  private readonly file: number;
  private readonly secrets = new SecretRules();
  /** Where the next exchange goes. */
  private end: number;
  private count = 0;

  /** @throws the system's error where it cannot be written. What was there is replaced. */
  constructor(path: string, creator: { readonly name: string; readonly version: string }) {
    this.file = openSync(path, 'w');
    const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[\n`;
    this.end = this.put(head, 0);
    this.put(this.tail(), this.end);
  }

  /** How many exchanges there are. */
  get entries(): number {
    return this.count;
  }

  get removed(): Removals {
    return this.secrets.removed;
  }

  /** Takes the secrets out of it, and writes it. */
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

  /** @returns where it ends */
  private put(text: string, position: number): number {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.file, bytes, done, bytes.length - done, position + done);
    return position + bytes.length;
  }
}
