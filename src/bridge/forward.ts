/** The headers of a forwarded request or answer. */
/**
 * Headers of a single connection (RFC 9110, 7.6.1). The headers with the length of the body stay, because the body
 * is unchanged.
 */
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
 * The received headers for the other side, with its host in place of the proxy's host.
 * @param to the target of a request; undefined for an answer
 * @param connection `upgrade` for a WebSocket request
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
