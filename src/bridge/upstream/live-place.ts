/** What a live participant says of itself before it is asked for anything: its release, its name, its synchronizers, and whose the token is. */
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';
import type { Asking } from './asking.js';

/** Why a live participant cannot be asked. */
class LiveSideRefused extends Error {
  /** `LiveSideRefused`. */
  override readonly name = 'LiveSideRefused';
  /** So that the command line tells it as an expected failure. */
  readonly code = 'LIVE_SIDE_REFUSED';
}

export interface NamedSynchronizer {
  readonly alias: string;
  readonly id: string;
}

type Json = Readonly<Record<string, unknown>>;

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
    function* must(path: string): Asking<Json> {
      const { status, body } = yield { method: 'GET', path };
      const json = (body ?? {}) as Json;
      if (status === 200) return json;
      throw new LiveSideRefused(refusalText(path, status, json, hasToken));
    }
    const { version } = yield* must('/v2/version');
    const apiVersion = API_VERSIONS.find((each) => String(version).startsWith(`${each}.`));
    if (apiVersion === undefined)
      throw new LiveSideRefused(
        `it is of release ${String(version)}, and Canticle has ${API_VERSIONS.join(', ')}.`,
      );
    const open = yield { method: 'GET', path: '/v2/parties', isAnonymous: true };
    const user = open.status === 401 ? yield* userOf(must) : undefined;
    const { participantId } = yield* must('/v2/parties/participant-id');
    const { connectedSynchronizers = [] } = yield* must('/v2/state/connected-synchronizers');
    const synchronizers = (connectedSynchronizers as readonly Json[]).map((each) => ({
      alias: String(each['synchronizerAlias']),
      id: String(each['synchronizerId']),
    }));
    if (synchronizers.length === 0)
      throw new LiveSideRefused('it is connected to no synchronizer.');
    const id = String(participantId).replace(/^PAR::/, '');
    const { body } = yield { method: 'GET', path: '/v2/users/nobody-of-that-name' };
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

/** Parties are allocated, users created and DARs uploaded: that is an administrator's. */
function* userOf(must: (path: string) => Asking<Json>): Asking<string> {
  const { user } = yield* must('/v2/authenticated-user');
  const id = String((user as Json)['id']);
  const { rights = [] } = yield* must(`/v2/users/${encodeURIComponent(id)}/rights`);
  if (JSON.stringify(rights).includes('"ParticipantAdmin"')) return id;
  throw new LiveSideRefused(
    `the token is of ${id}, who is no participant admin: parties and users cannot be made. Give one of an administrator.`,
  );
}

function refusalText(target: string, status: number, { code, cause }: Json, hasToken: boolean) {
  const told = code === undefined ? '' : `: ${String(code)}: ${String(cause)}`;
  const next =
    status !== 401
      ? ''
      : hasToken
        ? ' It does not take the token.'
        : ' It asks for a token: say which (--token, --access-token-file).';
  return `GET ${target} was answered with ${status}${told}.${next}`;
}
