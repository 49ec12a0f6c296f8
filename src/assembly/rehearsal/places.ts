/**
 * Adds a header to requests of this process to this machine: the line of the test that made it. Only a rehearsal does that. Requests of
 * `fetch` and of `node:http`, and so of most clients, have such a line. gRPC has none, because its requests begin later.
 */
import { Agent, type ClientRequest } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callerFrame } from '../../daml/errors/own-frames.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';
import { PLACE_HEADER } from '../../services/calls/watched-calls.js';

const LOCAL = /^(?:localhost|.*\.localhost|127\..*|\[?::1\]?)$/;
const NAMED = Symbol.for('canticle.places');

type Fetch = typeof globalThis.fetch & { [NAMED]?: true };

export function namePlaces(): void {
  nameFetch(globalThis);
  nameAgent(Agent.prototype as unknown as AgentPrototype);
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

interface AgentPrototype {
  addRequest(this: object, request: ClientRequest, ...more: unknown[]): unknown;
  [NAMED]?: true;
}

/** All agents of `node:http` get their requests by this method, while the client makes the request. */
function nameAgent(agent: AgentPrototype): void {
  if (agent[NAMED]) return;
  const { addRequest } = agent;
  agent.addRequest = function (request, ...more) {
    const place = request.headersSent || !LOCAL.test(hostOf(request)) ? undefined : placeHere();
    if (place !== undefined && !request.hasHeader(PLACE_HEADER))
      request.setHeader(PLACE_HEADER, place);
    return addRequest.call(this, request, ...more);
  };
  agent[NAMED] = true;
}

const hostOf = ({ host }: ClientRequest): string => host;

function isLocal(url: string): boolean {
  try {
    return LOCAL.test(new URL(url).hostname);
  } catch {
    return false;
  }
}

/** The nearest line that belongs neither to Canticle nor to a package. */
function placeHere(): string | undefined {
  const { file, line, column } = callerFrame() ?? {};
  if (file === undefined) return undefined;
  const path = relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);
  return `${path.replaceAll('\\', '/')}:${line}:${column}`;
}
