/** What a live participant says of itself before it is asked for anything: its release, its name, its synchronizers, and whose the token is. */
import { ClientError, read, requestOf, type Asking, type Json } from '../../client/asking.js';
import { OPERATIONS } from '../../client/operations.js';
import { participantIdOf, releaseOf, rightsIn, synchronizersOf } from '../../client/verbs.js';
import { spelledOut } from '../../daml/errors/printable.js';
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';

/** Why a live participant cannot be asked. */
class LiveSideRefused extends Error {
  /** `LiveSideRefused`. */
  override readonly name = 'LiveSideRefused';
  /** So that the command line tells it as an expected failure. */
  readonly code = 'LIVE_SIDE_REFUSED';

  constructor(why: string) {
    super(spelledOut(why));
  }
}

export interface NamedSynchronizer {
  readonly alias: string;
  readonly id: string;
}

export class LivePlace {
  private constructor(
    readonly apiVersion: ApiVersion,
    /** Without `PAR::`. */
    readonly participantId: string,
    readonly synchronizers: readonly NamedSynchronizer[],
    /** What it calls itself where it refuses something; undefined where it does not say. */
    readonly participant: string | undefined,
    /** Whose the token is; undefined where none is asked for. */
    readonly user: string | undefined,
  ) {}

  /** @param hasToken whether it is asked with one @throws LiveSideRefused */
  static *of(hasToken: boolean): Asking<LivePlace> {
    try {
      return yield* LivePlace.read();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const next = error.status !== 401 ? '' : hasToken ? TAKES_NONE : ASKS_FOR_ONE;
      throw new LiveSideRefused(`${error.message}${next}`);
    }
  }

  private static *read(): Asking<LivePlace> {
    const { version, apiVersion } = yield* releaseOf();
    if (apiVersion === undefined)
      throw new LiveSideRefused(
        `it is of release ${version}, and Canticle has ${API_VERSIONS.join(', ')}.`,
      );
    const open = yield requestOf(OPERATIONS.parties, { isAnonymous: true });
    const user = open.status === 401 ? yield* userOf() : undefined;
    const id = yield* participantIdOf();
    const synchronizers = (yield* synchronizersOf()).map((each) => ({
      alias: each.synchronizerAlias,
      id: each.synchronizerId,
    }));
    if (synchronizers.length === 0)
      throw new LiveSideRefused('it is connected to no synchronizer.');
    const { body } = yield requestOf(OPERATIONS.user, { id: 'nobody-of-that-name' });
    const name = ((body as Json | undefined)?.['context'] as Json | undefined)?.['participant'];
    // Its services put the name in quotes.
    const plain = typeof name === 'string' ? name.replace(/^'(.*)'$/, '$1') : '';
    const participant = plain === '' ? undefined : plain;
    return new LivePlace(apiVersion, id, synchronizers, participant, user);
  }

  /** One that a scenario has alone is the one that there is alone, whatever they are called. */
  synchronizersFor(
    named: readonly { readonly alias: string }[] | undefined,
  ): readonly NamedSynchronizer[] {
    const [only, ...others] = this.synchronizers;
    if (others.length > 0 || (named?.length ?? 1) > 1) return this.synchronizers;
    return [{ alias: named?.[0]?.alias ?? 'global', id: only!.id }];
  }
}

const TAKES_NONE = ' It does not take the token.';
const ASKS_FOR_ONE = ' It asks for a token: say which (--token, --access-token-file).';

/** Parties are allocated, users created and DARs uploaded: that is an administrator's. */
function* userOf(): Asking<string> {
  const { user } = yield* read<{ user: { id: string } }>(OPERATIONS.authenticatedUser);
  const rights = rightsIn(
    (yield* read<{ rights?: readonly unknown[] }>(OPERATIONS.rights, { id: user.id })).rights,
  );
  if (rights.some(({ kind }) => kind === 'ParticipantAdmin')) return user.id;
  throw new LiveSideRefused(
    `the token is of ${user.id}, who is no participant admin: parties and users cannot be made. Give one of an administrator.`,
  );
}
