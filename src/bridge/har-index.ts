/** A recording that is answered from: requests are known by their digests, exchanges are read from the disk when they are asked for. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { editDistance } from '../daml/errors/edit-distance.js';
import { entryIn, EntryScanner } from '../recording/entry-scanner.js';
import type { HarEntry } from '../recording/har.js';
import { keysOf, requestOf, type PlainRequest, type RequestKeys } from '../recording/requests.js';

/** Where an exchange stands in the file. */
export interface IndexedExchange extends RequestKeys {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly start: number;
  readonly length: number;
  used: boolean;
}

/** Characters of a path that are compared. */
const COMPARED = 128;
const fromBytes = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

export class HarIndex {
  private readonly file: number;

  private constructor(
    path: string,
    /** In the order of the file, without those that had no answer. */
    readonly exchanges: readonly IndexedExchange[],
  ) {
    this.file = openSync(path, 'r');
  }

  /**
   * @param look gets each exchange once
   * @throws RecordingError where it is no HAR or is torn; the system's error where it cannot be read
   */
  static async open(path: string, look: (entry: HarEntry, number: number) => Promise<void>) {
    // A character a byte, so that places in the text are places in the file.
    const scanner = new EntryScanner(fromBytes);
    const exchanges: IndexedExchange[] = [];
    let number = 0;
    for await (const chunk of createReadStream(path, 'latin1'))
      for (const entry of scanner.push(chunk as string)) {
        number += 1;
        await look(entry, number);
        if (entry.response.status === 0) continue;
        const request = requestOf(entry);
        const { method, target } = request;
        exchanges.push({
          ...keysOf(request),
          ...scanner.last,
          number,
          method,
          target,
          used: false,
        });
      }
    scanner.end();
    return new HarIndex(path, exchanges);
  }

  read({ start, length, number }: IndexedExchange): HarEntry {
    const bytes = Buffer.alloc(length);
    readSync(this.file, bytes, 0, length, start);
    return entryIn(bytes.toString(), number);
  }

  /** The exchange whose request is most like it; one that has not been used, where there are several. */
  nearest({ method, target, body }: PlainRequest): IndexedExchange | undefined {
    const { loose } = keysOf({ method, target, body });
    let best: { exchange: IndexedExchange; distance: number } | undefined;
    const path = target.split('?', 1)[0]!.slice(0, COMPARED);
    for (const exchange of this.exchanges) {
      const other = exchange.target.split('?', 1)[0]!.slice(0, COMPARED);
      const distance =
        4 * editDistance(path, other) +
        (exchange.method === method ? 0 : 3) +
        (exchange.loose === loose ? 0 : 2) +
        (exchange.used ? 1 : 0);
      if (best === undefined || distance < best.distance) best = { exchange, distance };
    }
    return best?.exchange;
  }

  close(): void {
    closeSync(this.file);
  }
}
