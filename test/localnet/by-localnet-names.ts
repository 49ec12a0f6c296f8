/**
 * The hosts and ports of a LocalNet for clients in this process, whatever ports it really has and whether the names resolve here: each
 * connection to one of its addresses goes where that leads. What is sent over it is the client's own.
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
  // NOTE: fetch, WebSocket and the package ws all connect by this name, which nothing else lets one stand in for.
  Object.assign(net, { connect: lead });
  // Where nock was loaded in this process, by whichever suite, it connects as an agent does, even for a client that has none.
  Object.assign(Agent.prototype, { createConnection: lead });
  return () => {
    Object.assign(net, { connect });
    Object.assign(Agent.prototype, { createConnection });
  };
}
