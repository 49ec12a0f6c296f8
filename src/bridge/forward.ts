/** With which headers a request is passed on. */
/** Of one connection alone (RFC 9110, 7.6.1). What says how long a body is stays: it passes as it is. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/**
 * Headers as they came, for the other side: its own host in place of the proxy's.
 * @param to whom a request goes; undefined for an answer
 * @param connection `upgrade` where a WebSocket is asked for
 */
export function forwarded(
  rawHeaders: readonly string[],
  to: URL | undefined,
  connection?: 'upgrade',
): [string, string][] {
  const pairs: [string, string][] = to === undefined ? [] : [['Host', to.host]];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    const small = name.toLowerCase();
    if (OF_A_CONNECTION.has(small) || (small === 'host' && to !== undefined)) continue;
    pairs.push([name, value]);
  }
  if (connection !== undefined) pairs.push(['Connection', 'Upgrade'], ['Upgrade', 'websocket']);
  return pairs;
}
