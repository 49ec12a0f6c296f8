/** Tokens of users, as a LocalNet's clients sign them for themselves: HS256 with a secret that everybody knows (L-AUTH-001). */
import { signedJwt } from '../../services/authorization/jwt.js';

export const SECRET = 'unsafe';
export const AUDIENCE = 'https://canton.network.global';

/** Without an end, as those of cn-quickstart are (L-AUTH-002). */
export const unsafeToken = (user: string, audience = AUDIENCE): string =>
  signedJwt({ alg: 'HS256', typ: 'JWT' }, { sub: user, aud: audience }, SECRET);
