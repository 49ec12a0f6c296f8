/**
 * CANTICLE_UPSTREAM: the URL of a JSON Ledger API on which a suite runs instead of a Canticle. CANTICLE_UPSTREAM_TOKEN is a token for it;
 * its user submits.
 */
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';

export interface Upstream {
  /** Without a final slash. */
  readonly url: string;
  readonly token: string | undefined;
}

/** @throws Error for an invalid URL */
export function upstreamInEnvironment(): Upstream | undefined {
  const url = fromEnvironment('CANTICLE_UPSTREAM');
  if (!url) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw withCallerStack(
      new Error(
        `Failed to run on CANTICLE_UPSTREAM: '${url}' is not a URL. Set it to the URL of a JSON Ledger API, such as http://localhost:2975.`,
      ),
    );
  const token = fromEnvironment('CANTICLE_UPSTREAM_TOKEN');
  return { url: url.replace(/\/+$/, ''), token: token || undefined };
}

/** Replaces a verb that a real participant does not support. Its members are such verbs too, and each call throws. */
export function refusing(verb: string, { url }: Upstream): unknown {
  const fail = () => {
    throw withCallerStack(
      new Error(
        `Failed to run ${verb} on CANTICLE_UPSTREAM: the participant at ${url} does not support it. Skip this test if CANTICLE_UPSTREAM is set.`,
      ),
    );
  };
  return new Proxy(fail, {
    apply: fail,
    construct: fail,
    set: fail,
    get: (_, name) =>
      // Test runners and promises read these members of any value.
      typeof name === 'symbol' || ['then', 'toJSON', 'asymmetricMatch', '$$typeof'].includes(name)
        ? undefined
        : refusing(`${verb}.${name}`, { url, token: undefined }),
  });
}

/** An object with the known members, which rejects all others by name. */
export function withRefusals<T extends object>(known: T, prefix: string, upstream: Upstream): T {
  return new Proxy(known, {
    get: (target, name, self) =>
      name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON'
        ? Reflect.get(target, name, self)
        : refusing(prefix + name, upstream),
  });
}
