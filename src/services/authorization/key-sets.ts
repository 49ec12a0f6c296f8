/** Keys by their ids: from sets in the options, and from fetched sets. */
import { keyOfJwk, TokenRefused, type VerifyingKey } from './jwt.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';

export interface KeySet {
  /**
   * @param id undefined if the token names none: then the only key is used @throws TokenRefused if the key is missing
   */
  readonly key: (id: string | undefined) => VerifyingKey | Promise<VerifyingKey>;
}

export function localKeys(keys: readonly object[]): KeySet {
  return { key: (id) => keyIn(keys, id) };
}

function keyIn(keys: readonly object[], id: string | undefined): VerifyingKey {
  const only = id === undefined && keys.length === 1 ? keys[0] : undefined;
  const found =
    only ?? keys.find((each) => id !== undefined && (each as { kid?: unknown }).kid === id);
  if (found === undefined) throw new TokenRefused(`No key is named ${id}`);
  return keyOfJwk(found);
}

/** The time that a fetched key is trusted. */
const MAX_KEY_AGE_MS = 5 * 60_000;
const MAX_KEYS = 1000;
const PATIENCE_MS = 10_000;

interface FetchedKey {
  readonly key: VerifyingKey;
  /** Milliseconds since 1970, real time. */
  readonly since: number;
}

/** The keys at a URL: the set is fetched for each unknown key, and again after each failure (B-AUTH-035). */
export class RemoteKeys implements KeySet {
  private readonly known = new Map<string | undefined, FetchedKey>();

  constructor(
    private readonly url: string,
    private readonly now: () => number,
  ) {}

  async key(id: string | undefined): Promise<VerifyingKey> {
    const known = this.known.get(id);
    if (known !== undefined && Math.abs(this.now() - known.since) < MAX_KEY_AGE_MS)
      return known.key;
    const key = keyIn(await this.fetched(), id);
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_KEYS) this.known.delete(oldest);
    this.known.set(id, { key, since: this.now() });
    return key;
  }

  private async fetched(): Promise<readonly object[]> {
    try {
      const { fetch, AbortSignal } = nodeGlobals;
      const answer = await fetch(this.url, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const { keys } = (await answer.json()) as { keys?: unknown };
      if (answer.ok && Array.isArray(keys))
        return keys.filter((each) => each !== null && typeof each === 'object') as object[];
    } catch {
      // As if it had no keys.
    }
    throw new TokenRefused(`No key set is at ${this.url}`);
  }
}
