/**
 * Adds a header to requests of this process to this machine: the line of the test that made it. Only a rehearsal does that. Requests of
 * `fetch`, of `node:http` and of `@grpc/grpc-js`, and so of most clients, have such a line.
 */
import { Agent, ClientRequest } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callerFrames, type CodePlace } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';
import { PLACE_HEADER } from '../../services/calls/watched-calls.js';
import { nameGrpcPlaces } from './grpc-places.js';

const LOCAL = /^(?:localhost|.*\.localhost|127\..*|\[?::1\]?)$/;
const NAMED = Symbol.for('canticle.places');

type Fetch = typeof globalThis.fetch & { [NAMED]?: true };

export function namePlaces(): void {
  nameFetch(globalThis);
  nameAgent(Agent.prototype as unknown as AgentPrototype);
  nameRequests(ClientRequest.prototype as unknown as RequestPrototype);
  nameGrpcPlaces(PLACE_HEADER, placeHere);
}

function nameFetch(scope: { fetch?: Fetch }): void {
  const { fetch } = scope;
  if (fetch === undefined || fetch[NAMED]) return;
  const named: Fetch = (input, init) => {
    const place = placeHere();
    const request = typeof input === 'object' && 'url' in input ? input : undefined;
    if (place === undefined || !isLocal(request?.url ?? String(input))) return fetch(input, init);
    const headers = new nodeGlobals.Headers(init?.headers ?? request?.headers);
    headers.set(PLACE_HEADER, place);
    return fetch(input, { ...init, headers });
  };
  named[NAMED] = true;
  scope.fetch = named;
}

/** The methods of `node:http` that run while the client makes a request. */
interface AgentPrototype {
  addRequest(this: object, request: ClientRequest, ...more: unknown[]): unknown;
  [NAMED]?: true;
}

interface RequestPrototype {
  onSocket(this: ClientRequest, ...args: unknown[]): unknown;
  [NAMED]?: true;
}

/** All agents get their requests by this method. */
function nameAgent(agent: AgentPrototype): void {
  if (agent[NAMED]) return;
  const { addRequest } = agent;
  agent.addRequest = function (request, ...more) {
    nameRequest(request);
    return addRequest.call(this, request, ...more);
  };
  agent[NAMED] = true;
}

/** A request without an agent, such as that of a WebSocket, gets its connection by this method. */
function nameRequests(requests: RequestPrototype): void {
  if (requests[NAMED]) return;
  const { onSocket } = requests;
  requests.onSocket = function (...args) {
    nameRequest(this);
    return onSocket.apply(this, args);
  };
  requests[NAMED] = true;
}

function nameRequest(request: ClientRequest): void {
  if (request.headersSent || request.hasHeader(PLACE_HEADER) || !LOCAL.test(hostOf(request)))
    return;
  const place = placeHere();
  if (place !== undefined) request.setHeader(PLACE_HEADER, place);
}

const hostOf = ({ host }: ClientRequest): string => host;

function isLocal(url: string): boolean {
  try {
    return LOCAL.test(new URL(url).hostname);
  } catch {
    return false;
  }
}

/**
 * The nearest line that belongs neither to Canticle nor to a package, and the line of the test or program that led to it. Undefined
 * outside a rehearsal, such as after a test of one.
 */
function placeHere(): string | undefined {
  if (fromEnvironment('CANTICLE_REHEARSAL') === undefined) return undefined;
  const frames = callerFrames();
  const [nearest, first] = [frames[0], frames.at(-1)];
  if (nearest === undefined || first === undefined) return undefined;
  const place =
    nearest === first ? placeOf(first) : `${placeOf(nearest)}, called at ${placeOf(first)}`;
  // A header has no other characters than those of ASCII.
  return encodeURI(place);
}

function placeOf({ file, line, column }: CodePlace): string {
  const path = relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);
  return `${path.replaceAll('\\', '/')}:${line}:${column}`;
}
