/**
 * CANTICLE_UPSTREAM: the address of a JSON Ledger API on which a suite runs in place of a Canticle, and CANTICLE_UPSTREAM_TOKEN, whose
 * user submits there.
 */
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';

export interface Upstream {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
}

/** @throws Error for what is no address */
export function upstreamInEnvironment(): Upstream | undefined {
  const url = fromEnvironment('CANTICLE_UPSTREAM');
  if (!url) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw withCallerStack(
      new Error(
        `Failed to run on CANTICLE_UPSTREAM: '${url}' is no address of a JSON Ledger API, such as http://localhost:2975.`,
      ),
    );
  const token = fromEnvironment('CANTICLE_UPSTREAM_TOKEN');
  return { url: url.replace(/\/+$/, ''), token: token || undefined };
}

/** A verb that a real participant has not: whatever is read of it is one too, and to call it fails. */
export function refusing(verb: string, { url }: Upstream): unknown {
  const fail = () => {
    throw withCallerStack(
      new Error(
        `Failed to run ${verb} on CANTICLE_UPSTREAM: a real participant, as at ${url}, has no such verb. Leave the test out where CANTICLE_UPSTREAM is set.`,
      ),
    );
  };
  return new Proxy(fail, {
    apply: fail,
    construct: fail,
    set: fail,
    get: (_, name) =>
      // What runners and promises look for before anything is asked.
      typeof name === 'symbol' || ['then', 'toJSON', 'asymmetricMatch', '$$typeof'].includes(name)
        ? undefined
        : refusing(`${verb}.${name}`, { url, token: undefined }),
  });
}

/** An object that has these, and refuses all else by its name. */
export function withRefusals<T extends object>(known: T, prefix: string, upstream: Upstream): T {
  return new Proxy(known, {
    get: (target, name, self) =>
      name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON'
        ? Reflect.get(target, name, self)
        : refusing(prefix + name, upstream),
  });
}
