/** What a live participant says of itself before it is asked for anything: its release, its name, its synchronizers, and whose the token is. */
import { ANSWERS } from '../../assembly/fork/live-shapes.js';
import { spelledOut } from '../../daml/errors/printable.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { anObjectOf, aText, type Shape } from '../../spec/shapes.js';
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';
import type { Asking } from './asking.js';

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
    function* must<T>(path: string, shape: Shape): Asking<T> {
      const { status, body } = yield { method: 'GET', path };
      if (status !== 200)
        throw new LiveSideRefused(
          refusalText(path, status, isJsonObject(body) ? body : {}, hasToken),
        );
      const fault = shape(body, '');
      if (fault === undefined) return body as T;
      throw new LiveSideRefused(
        `GET ${path} was answered with what no participant answers: ${fault}.`,
      );
    }
    const { version } = yield* must<{ version: string }>('/v2/version', ANSWERS.version);
    const apiVersion = API_VERSIONS.find((each) => version.startsWith(`${each}.`));
    if (apiVersion === undefined)
      throw new LiveSideRefused(
        `it is of release ${version}, and Canticle has ${API_VERSIONS.join(', ')}.`,
      );
    const open = yield { method: 'GET', path: '/v2/parties', isAnonymous: true };
    const user = open.status === 401 ? yield* userOf(must) : undefined;
    const { participantId } = yield* must<{ participantId: string }>(
      '/v2/parties/participant-id',
      ANSWERS.participantId,
    );
    const { connectedSynchronizers = [] } = yield* must<{
      connectedSynchronizers?: readonly { synchronizerAlias: string; synchronizerId: string }[];
    }>('/v2/state/connected-synchronizers', ANSWERS.synchronizers);
    const synchronizers = connectedSynchronizers.map((each) => ({
      alias: each.synchronizerAlias,
      id: each.synchronizerId,
    }));
    if (synchronizers.length === 0)
      throw new LiveSideRefused('it is connected to no synchronizer.');
    const id = participantId.replace(/^PAR::/, '');
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

const USER = anObjectOf({ user: anObjectOf({ id: aText }) });

/** Parties are allocated, users created and DARs uploaded: that is an administrator's. */
function* userOf(must: <T>(path: string, shape: Shape) => Asking<T>): Asking<string> {
  const { user } = yield* must<{ user: { id: string } }>('/v2/authenticated-user', USER);
  const { id } = user;
  const path = `/v2/users/${encodeURIComponent(id)}/rights`;
  const { rights = [] } = yield* must<{ rights?: readonly unknown[] }>(path, ANSWERS.rights);
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
