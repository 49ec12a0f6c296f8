/**
 * The single entry for all requests: from a port, from an application that the ledger is mounted in, or from this
 * process. Each passes the Express application that users extend, if they have one, and then reaches the ledger.
 * NOTE: the text for an unknown participant is Canticle's, because each real participant has its own host.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { arrived } from '../services/arrivals.js';
import { headRefusal } from './head-limits.js';
import { withHeaders } from './answers.js';
import { exchangeOf, send, targetOf } from './node-exchange.js';
import { express } from './packages.js';
import type { Service } from './routing/service.js';
import { Sites, type Beside, type Place, type RequestHead, type Site } from './sites.js';
import { isWebSocketRequest, type UpgradeRequest } from './upgrades.js';

/** Continues with a request, or with its error, as in Express. */
export type Next = (error?: unknown) => void;

type Handler = (request: IncomingMessage, response: ServerResponse, next?: Next) => unknown;

/** An Express application with the method that mounting uses, which the types omit. */
type HandledExpress = Express & { handle: Handler };

/** The possible results of an upgrade to a WebSocket. */
export interface Upgrading {
  /**
   * The path has no stream, or the caller may not read it. The request continues as a plain request, whose answer
   * gives the reason.
   */
  readonly decline: () => void;
  readonly opened?: () => void;
}

export class HttpEntry {
  private openedApp?: HandledExpress;
  /** The handlers that follow the application, by request in progress. */
  private readonly behind = new WeakMap<IncomingMessage, Handler>();
  private readonly all: Sites;

  /** @param byName the first is the one at the root */
  constructor(
    private readonly byName: ReadonlyMap<string, Site>,
    beside?: Beside,
  ) {
    const [root] = byName.values();
    this.all = new Sites(root!, byName, undefined, beside);
  }

  /**
   * The sites of a port: all participants, or one.
   * @param service limits the port to it; every API if absent @throws Error for an unknown participant
   */
  sites(participant?: string, service?: Service): Sites {
    if (participant === undefined) return this.all;
    return new Sites(this.site(participant), undefined, service);
  }

  /** @throws Error for an unknown participant */
  site(participant: string): Site {
    const site = this.byName.get(participant);
    if (site !== undefined) return site;
    const names = [...this.byName.keys()].join(', ');
    throw new Error(`Failed to find participant ${participant}: there is only ${names}.`);
  }

  /** Created at its first use: until then no request pays for Express. */
  get app(): Express {
    return (this.openedApp ??= this.newApp());
  }

  /** Whether requests pass the application. */
  get hasApp(): boolean {
    return this.openedApp !== undefined;
  }

  /** Answers. @param next receives an error that occurs before the ledger; if absent, Express's answer is sent */
  enter(sites: Place, request: IncomingMessage, response: ServerResponse, next?: Next): void {
    const { openedApp } = this;
    if (openedApp === undefined) return void serve(sites, request, response, next);
    this.behind.set(request, (_, __, fail) => serve(sites, request, response, fail));
    openedApp.handle(request, response, next && leaving(request, response, next));
  }

  /** Opens a WebSocket if the path has a stream and the caller may read it. */
  async upgrade(sites: Place, upgradeRequest: UpgradeRequest, upgrading: Upgrading): Promise<void> {
    const { request, socket } = upgradeRequest;
    // There is no other error listener during the check of the token, and the client may disconnect meanwhile.
    socket.on('error', () => socket.destroy());
    try {
      if (headRefusal(request) !== undefined || !isWebSocketRequest(request)) upgrading.decline();
      else if (this.openedApp !== undefined)
        this.upgradeThrough(this.openedApp, sites, upgradeRequest, upgrading);
      else if (await openStream(sites, upgradeRequest)) upgrading.opened?.();
      else upgrading.decline();
    } catch {
      // As in `serve`: the client has disconnected.
      socket.destroy();
    }
  }

  /** The request is a GET, which middleware may answer like any other. */
  private upgradeThrough(
    app: HandledExpress,
    sites: Place,
    upgradeRequest: UpgradeRequest,
    { opened }: Upgrading,
  ): void {
    const { request, socket } = upgradeRequest;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    const detach = () => response.detachSocket(socket as Socket);
    this.behind.set(request, async (_, __, fail) => {
      if (await openStream(sites, upgradeRequest, detach)) opened?.();
      else await serve(sites, request, response, fail);
    });
    app.handle(request, response);
  }

  private newApp(): HandledExpress {
    const app = express()() as HandledExpress;
    app.disable('x-powered-by');
    // Handlers that users add at any time come before the ledger, because the ledger follows the whole application.
    const whole = express()() as HandledExpress;
    whole.disable('x-powered-by');
    const { handle } = app;
    whole.use((request, response, next) => void handle.call(app, request, response, next));
    whole.use((request, response, next) => {
      const ledger: Handler = (_, __, fail) => serve(this.all, request, response, fail);
      return (this.behind.get(request) ?? ledger)(request, response, next);
    });
    app.handle = (request, response, next) => whole.handle(request, response, next);
    return app;
  }
}

async function serve(
  sites: Place,
  request: IncomingMessage,
  response: ServerResponse,
  fail?: Next,
): Promise<void> {
  try {
    const refusal = headRefusal(request);
    if (refusal !== undefined) return send(request, response, refusal);
    await arrived();
    const target = targetOf(request);
    const located = sites.locate(target, headOf(request));
    if ('answer' in located) return send(request, response, located.answer);
    if ('answering' in located) {
      const exchange = exchangeOf(request, response, { target });
      return send(request, response, await located.answering(exchange));
    }
    const { site, added } = located;
    const exchange = exchangeOf(request, response, located);
    const before = site.streams.logEnd;
    const answer = await site.dispatcher.answer(exchange);
    const opening = site.streams.beforeAnswer(before);
    if (opening !== undefined) await opening;
    try {
      send(request, response, added ? withHeaders(answer, added(answer.status)) : answer);
    } catch (error) {
      if (response.headersSent) throw error;
      send(request, response, site.dispatcher.broken(exchange, error));
    }
  } catch (error) {
    // A client that disconnected during its request gets no answer.
    if (fail === undefined || request.socket.destroyed) response.destroy();
    else fail(error);
  }
}

function headOf({ method = 'GET', headers }: IncomingMessage): RequestHead {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return { method, header };
}

/**
 * @param before is called before the connection becomes a WebSocket
 * @returns whether it has; nothing has been done to it otherwise
 */
async function openStream(
  sites: Place,
  upgradeRequest: UpgradeRequest,
  before?: () => void,
): Promise<boolean> {
  const { request, socket } = upgradeRequest;
  const located = sites.locate(targetOf(request), headOf(request));
  if (!('site' in located) || located.added !== undefined) return false;
  const { site } = located;
  const exchange = exchangeOf(request, socket, located);
  // An error here also occurs for the plain request, which answers it.
  const stream = await site.dispatcher.streamFor(exchange).catch(() => undefined);
  if (stream === undefined) return false;
  before?.();
  site.streams.upgrade(stream.list, exchange, stream.admission, upgradeRequest);
  return true;
}

/**
 * An application replaces the prototypes of a request and its response. They are restored when it passes them on.
 */
function leaving(request: IncomingMessage, response: ServerResponse, next: Next): Next {
  const [asRequest, asResponse] = [request, response].map((each) => Object.getPrototypeOf(each));
  return (error) => {
    Object.setPrototypeOf(request, asRequest as object);
    Object.setPrototypeOf(response, asResponse as object);
    next(error);
  };
}
