/**
 * An index of a recording for replay. It stores the digests of requests, and reads exchanges from the disk on
 * demand.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { editDistance } from '../daml/errors/edit-distance.js';
import { entryIn, EntryScanner } from '../recording/entry-scanner.js';
import type { HarEntry } from '../recording/har.js';
import { keysOf, requestOf, type PlainRequest, type RequestKeys } from '../recording/requests.js';

/** The position of an exchange in the file. */
export interface IndexedExchange extends RequestKeys {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly start: number;
  readonly length: number;
  used: boolean;
}

/** The most characters of a path to compare. */
const COMPARED = 128;
const fromBytes = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

export class HarIndex {
  private readonly file: number;

  private constructor(
    path: string,
    /** The exchanges in the order of the file, without those that have no answer. */
    readonly exchanges: readonly IndexedExchange[],
  ) {
    this.file = openSync(path, 'r');
  }

  /**
   * @param look receives each exchange once
   * @throws RecordingError if the file is not a HAR or is truncated; the system's error if it is unreadable
   */
  static async open(path: string, look: (entry: HarEntry, number: number) => Promise<void>) {
    // One character per byte, so that positions in the text are positions in the file.
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

  /** The exchange with the most similar request; an unused exchange if there are several. */
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
