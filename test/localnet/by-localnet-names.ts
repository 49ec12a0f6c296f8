/**
 * The usual hosts and ports of a LocalNet for clients in this process, for any real ports and without name resolution. A connection to
 * one of these addresses goes to the real port. The requests do not change.
 */
import { Agent } from 'node:http';
import net from 'node:net';
import type { Localnet } from 'canticle';

/** By the port that a LocalNet would have, as text. */
export const portsOf = (localnet: Localnet): ReadonlyMap<string, number> => {
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
  return leadTo(portsOf(localnet));
}

/** The same of a LocalNet in another process. @returns takes it back */
export function leadTo(ports: ReadonlyMap<string, number>): () => void {
  const { connect } = net;
  const { createConnection } = Agent.prototype;
  const lead = (target: net.TcpNetConnectOpts, ...rest: [(() => void)?]) => {
    const port = ports.get(String(target.port));
    const isOurs = port !== undefined && /(^|\.)localhost$|^127\.0\.0\.1$/.test(target.host ?? '');
    return connect(isOurs ? { ...target, host: '127.0.0.1', port } : target, ...rest);
  };
  // NOTE: fetch, WebSocket and the package ws all connect by this name. There is no other way to replace it.
  Object.assign(net, { connect: lead });
  // If a suite in this process loaded nock, nock connects like an agent, even for a client without one.
  Object.assign(Agent.prototype, { createConnection: lead });
  return () => {
    Object.assign(net, { connect });
    Object.assign(Agent.prototype, { createConnection });
  };
}
