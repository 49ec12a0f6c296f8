/** Tokens of users, as clients of a LocalNet sign them: HS256 with a public secret (L-AUTH-001). */
import { signedJwt } from '../../services/authorization/jwt.js';

export const SECRET = 'unsafe';
export const AUDIENCE = 'https://canton.network.global';

/** Does not expire, as in cn-quickstart (L-AUTH-002). */
export const unsafeToken = (user: string, audience = AUDIENCE): string =>
  signedJwt({ alg: 'HS256', typ: 'JWT' }, { sub: user, aud: audience }, SECRET);
