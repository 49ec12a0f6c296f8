/** Where a request has its token (B-AUTH-001, B-AUTH-002). */

/** An Authorization header of the right scheme that cannot be read: refused before anything else (B-AUTH-004). */
export class MalformedAuthorization extends Error {
  override readonly name = 'MalformedAuthorization';
  constructor(detail = '') {
    super(`Invalid value for: header Authorization${detail}`);
  }
}

type Header = (name: string) => string | undefined;

const WEBSOCKET_TOKEN = 'jwt.token.';

/**
 * From the Authorization header, else from the subprotocols. NOTE: a participant does not trim these, so that it overlooks a
 * token behind a comma and a space, as some clients send it; it is seen here.
 * @throws MalformedAuthorization
 */
export function tokenOf(header: Header): string | undefined {
  const authorization = header('authorization');
  if (authorization !== undefined && /^bearer/i.test(authorization)) {
    if (!/^bearer /i.test(authorization)) throw new MalformedAuthorization();
    if (/, *bearer /i.test(authorization)) throw new MalformedAuthorization(' (multiple values)');
    return authorization.slice('bearer '.length);
  }
  const protocols = header('sec-websocket-protocol')
    ?.split(',')
    .map((each) => each.trim());
  return protocols?.find((each) => each.startsWith(WEBSOCKET_TOKEN))?.slice(WEBSOCKET_TOKEN.length);
}
