/** Reads the basic facts of a live participant: its release, its name, its synchronizers, and the user of the token. */
import { ClientError, read, requestOf, type Requests, type Json } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { participantIdOf, releaseOf, rightsIn, synchronizersOf } from '../../client/verbs.js';
import { spelledOut } from '../../daml/errors/printable.js';
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';

/** The live participant is not usable. */
class LiveSideRefused extends Error {
  /** `LiveSideRefused`. */
  override readonly name = 'LiveSideRefused';
  /** The code with which the command line recognizes an expected failure. */
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
    /** The participant id without `PAR::`. */
    readonly participantId: string,
    readonly synchronizers: readonly NamedSynchronizer[],
    /** The participant's name in its errors; undefined if they have none. */
    readonly participant: string | undefined,
    /** The user of the token; undefined if the participant needs no token. */
    readonly user: string | undefined,
  ) {}

  /** @param hasToken whether the requests have a token @throws LiveSideRefused */
  static *of(hasToken: boolean): Requests<LivePlace> {
    try {
      return yield* LivePlace.read();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const next = error.status !== 401 ? '' : hasToken ? TAKES_NONE : NEEDS_ONE;
      throw new LiveSideRefused(`${error.message}${next}`);
    }
  }

  private static *read(): Requests<LivePlace> {
    const { version, apiVersion } = yield* releaseOf();
    if (apiVersion === undefined)
      throw new LiveSideRefused(
        `its release is ${version}, but Canticle supports only ${API_VERSIONS.join(', ')}.`,
      );
    const open = yield requestOf(OPERATIONS.parties, { isAnonymous: true });
    const user = open.status === 401 ? yield* userOf() : undefined;
    const id = yield* participantIdOf();
    const synchronizers = (yield* synchronizersOf()).map((each) => ({
      alias: each.synchronizerAlias,
      id: each.synchronizerId,
    }));
    if (synchronizers.length === 0)
      throw new LiveSideRefused('it is not connected to a synchronizer.');
    const { body } = yield requestOf(OPERATIONS.user, { id: 'nobody-of-that-name' });
    const name = ((body as Json | undefined)?.['context'] as Json | undefined)?.['participant'];
    // Some services quote the name.
    const plain = typeof name === 'string' ? name.replace(/^'(.*)'$/, '$1') : '';
    const participant = plain === '' ? undefined : plain;
    return new LivePlace(apiVersion, id, synchronizers, participant, user);
  }

  /** If the scenario and the participant have one synchronizer each, they correspond, even with different names. */
  synchronizersFor(
    named: readonly { readonly alias: string }[] | undefined,
  ): readonly NamedSynchronizer[] {
    const [only, ...others] = this.synchronizers;
    if (others.length > 0 || (named?.length ?? 1) > 1) return this.synchronizers;
    return [{ alias: named?.[0]?.alias ?? 'global', id: only!.id }];
  }
}

const TAKES_NONE = ' It does not accept the token.';
const NEEDS_ONE = ' It requires a token: use --token or --access-token-file.';

/** The user, who must be an administrator: the steps allocate parties, create users and upload DARs. */
function* userOf(): Requests<string> {
  const { user } = yield* read<{ user: { id: string } }>(OPERATIONS.authenticatedUser);
  const rights = rightsIn(
    (yield* read<{ rights?: readonly unknown[] }>(OPERATIONS.rights, { id: user.id })).rights,
  );
  if (rights.some(({ kind }) => kind === 'ParticipantAdmin')) return user.id;
  throw new LiveSideRefused(
    `the user ${user.id} of the token is not a participant admin, and cannot allocate parties or create users. Use the token of an administrator.`,
  );
}
