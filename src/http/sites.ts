/**
 * What one port answers for: the first participant at the root, every participant below `/participants/<name>` too. A
 * participant's port of its own has that participant at the root.
 */
import type { Dispatcher } from './dispatch.js';
import type { Streams } from './streams/streams.js';

/** One participant as the port shows it. */
export interface Site {
  readonly dispatcher: Dispatcher;
  readonly streams: Streams;
}

export interface Located {
  readonly site: Site;
  /** The request target as the site understands it. */
  readonly target: string;
}

const PARTICIPANTS = '/participants/';

export class Sites {
  constructor(
    private readonly root: Site,
    private readonly byName: ReadonlyMap<string, Site> = new Map(),
  ) {}

  locate(target: string): Located {
    if (!target.startsWith(PARTICIPANTS)) return { site: this.root, target };
    const nameEnd = target.indexOf('/', PARTICIPANTS.length);
    const site =
      nameEnd < 0 ? undefined : this.byName.get(target.slice(PARTICIPANTS.length, nameEnd));
    return site === undefined
      ? { site: this.root, target }
      : { site, target: target.slice(nameEnd) };
  }

  /** By participant, in the order of the options. */
  get streams(): readonly Streams[] {
    return [...new Set([this.root, ...this.byName.values()])].map(({ streams }) => streams);
  }

  async closeStreams(): Promise<void> {
    await Promise.all(this.streams.map((streams) => streams.close()));
  }
}
