/** The place of the token in a request (B-AUTH-001, B-AUTH-002). */
import { releaseOf, type ApiVersion } from '../../spec/versions.js';

/** An unreadable Authorization header with the right scheme: it is rejected before anything else (B-AUTH-004). */
export class MalformedAuthorization extends Error {
  override readonly name = 'MalformedAuthorization';
  constructor(detail = '') {
    super(`Invalid value for: header Authorization${detail}`);
  }
}

type Header = (name: string) => string | undefined;

const WEBSOCKET_TOKEN = 'jwt.token.';

/**
 * The token of an HTTP request: from the Authorization header, whose values are on separate lines, otherwise from
 * the subprotocols.
 * @throws MalformedAuthorization
 */
export function httpToken(header: Header, apiVersion: ApiVersion): string | undefined {
  const authorization = header('authorization');
  const [bearer, more] = authorization?.split('\n').filter((each) => /^bearer/i.test(each)) ?? [];
  if (more !== undefined) throw new MalformedAuthorization(' (multiple values)');
  if (bearer !== undefined) {
    const token = /^bearer[ \t]+(.+)$/i.exec(bearer)?.[1];
    if (token === undefined) throw new MalformedAuthorization();
    return token;
  }
  const protocols = header('sec-websocket-protocol')
    ?.split(',')
    .map((each) => each.trim());
  // In releases that do not trim values, all but the first begin with a space.
  const read = releaseOf(apiVersion).trimsSubprotocols ? protocols : protocols?.slice(0, 1);
  return read?.find((each) => each.startsWith(WEBSOCKET_TOKEN))?.slice(WEBSOCKET_TOKEN.length);
}

/** The token of a gRPC call: the word `Bearer` may be anywhere, in this case (B-AUTH-033). */
export function callToken(header: Header): string | undefined {
  const authorization = header('authorization');
  return authorization === undefined ? undefined : /Bearer (.+)/.exec(authorization)?.[1];
}
