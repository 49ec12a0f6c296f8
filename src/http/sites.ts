/**
 * The sites of one port: the first participant at the root, and every participant below `/participants/<name>`. A
 * participant's own port has that participant at the root.
 */
import type { WireAnswer } from './answers.js';
import type { OverHttp2 } from './both-versions.js';
import type { Exchange } from './contexts.js';
import type { Dispatcher } from './dispatch.js';
import type { Service } from './routing/service.js';
import type { Streams } from './streams/streams.js';

/** One participant on the port. */
export interface Site {
  readonly dispatcher: Dispatcher;
  readonly streams: Streams;
}

export interface Located {
  readonly site: Site;
  /** The request target as the site understands it. */
  readonly target: string;
  /** All that is served there; every API where absent. */
  readonly service?: Service;
  /** The headers that a proxy in front adds to an answer, by status. It lets no WebSocket through. */
  readonly added?: (status: number) => WireAnswer['headers'];
}

/** The target of a port. */
export interface Place {
  /** The target of a request, or an immediate answer. */
  locate(target: string, head: RequestHead): Located | Answered;
  /** Called for each new connection; the returned function is called at its end. */
  connected?(): () => void;
  /** The handler of HTTP/2 connections; the port rejects them if it is absent. */
  readonly overHttp2?: OverHttp2;
  closeStreams(): Promise<void>;
}

/** An answer, or a function that returns it once it has read the request. */
export type Answered = { readonly answer: WireAnswer } | Answering;

export interface Answering {
  readonly answering: (exchange: Exchange) => Promise<WireAnswer>;
}

/** A service that shares the port of all participants, at its own paths. */
export interface Beside {
  readonly holds: (target: string) => boolean;
  readonly place: () => Answering;
}

export interface RequestHead {
  readonly method: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

const PARTICIPANTS = '/participants/';

export class Sites implements Place {
  constructor(
    private readonly root: Site,
    private readonly byName: ReadonlyMap<string, Site> = new Map(),
    private readonly service?: Service,
    private readonly beside?: Beside,
  ) {}

  locate(target: string): Located | Answering {
    const { service } = this;
    if (this.beside?.holds(target)) return this.beside.place();
    if (!target.startsWith(PARTICIPANTS)) return { site: this.root, target, service };
    const nameEnd = target.indexOf('/', PARTICIPANTS.length);
    const site =
      nameEnd < 0 ? undefined : this.byName.get(target.slice(PARTICIPANTS.length, nameEnd));
    return site === undefined
      ? { site: this.root, target, service }
      : { site, target: target.slice(nameEnd), service };
  }

  /** By participant, in the order of the options. */
  get streams(): readonly Streams[] {
    return [...new Set([this.root, ...this.byName.values()])].map(({ streams }) => streams);
  }

  async closeStreams(): Promise<void> {
    await Promise.all(this.streams.map((streams) => streams.close()));
  }
}
