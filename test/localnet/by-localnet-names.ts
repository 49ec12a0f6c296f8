/**
 * The hosts and ports of a LocalNet for clients in this process, whatever ports it really has and whether the names resolve here: `fetch`
 * goes where each leads, with the header Host that a client would send.
 */
import type { Localnet } from 'canticle';
import { ask } from './asking.js';

/** By the port that a LocalNet would have. */
const portsOf = (localnet: Localnet): ReadonlyMap<string, number> => {
  const byName = new Map(localnet.openPorts.map(({ name, port }) => [name, port]));
  const prefixes = { sv: 4, 'app-provider': 3, 'app-user': 2 };
  return new Map(
    Object.entries(prefixes).flatMap(([node, prefix]) => [
      [`${prefix}975`, byName.get(node)!],
      [`${prefix}903`, byName.get(`${node}/validator`)!],
      [`${prefix}000`, byName.get(`${node}/ui`)!],
    ]),
  );
};

/** @returns takes it back */
export function answerByLocalnetNames(localnet: Localnet): () => void {
  const ports = portsOf(localnet);
  const { fetch } = globalThis;
  // NOTE: the fetch of Node lets nobody say the header Host.
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const port = ports.get(url.port);
    if (port === undefined || !/(^|\.)localhost$/.test(url.hostname)) return fetch(request);
    const headers = { ...Object.fromEntries(request.headers), host: url.host };
    const { method } = request;
    const body = request.body === null ? undefined : await request.text();
    const answer = await ask(port, url.hostname, url.pathname + url.search, {
      method,
      headers,
      body,
    });
    const type = String(answer.headers['content-type']);
    return new Response(answer.text || null, {
      status: answer.status,
      headers: { 'content-type': type },
    });
  };
  return () => {
    globalThis.fetch = fetch;
  };
}
