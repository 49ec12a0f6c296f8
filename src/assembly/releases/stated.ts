/** The releases that options state, and what follows from them for the network. */
import { compareVersions } from '../../daml/model/versions.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { LanguageSupport } from '../../daml/dar/check-languages.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';
import { supportedProtocols } from '../../daml/refusals/engine-rules.js';
import type { SynchronizerOptions } from '../../network/synchronizer.js';
import type { NetworkOptions } from '../../network/network.js';
import type { ParticipantOptions } from '../../network/participant.js';
import type { DeprecatedApiOptions, NodeOptions } from '../../spec/releases/node-options.js';
import type { RegistryPreview } from '../../spec/splice/registry-previews.js';
import type { Releases } from '../../spec/releases/releases.js';
import { type StatedRelease, type StatedReleases } from '../../spec/releases/releases.js';
import { releaseOf, spliceReleaseOf } from '../../spec/versions.js';
import type { CanticleOptions } from '../canticle-options.js';

const refused = (why: string): TypeError =>
  withCallerStack(new TypeError(`Failed to create a Canticle: ${why}`));

/** The options with the older name of `canton` replaced. @throws TypeError for two different releases */
export function withRelease<O extends Pick<CanticleOptions, 'canton' | 'apiVersion'>>({
  apiVersion,
  ...options
}: O): Omit<O, 'apiVersion'> {
  const { canton } = options;
  if (apiVersion === undefined) return options;
  if (canton !== undefined && apiVersion !== canton)
    throw refused(
      `two releases, canton: '${canton}' and apiVersion: '${apiVersion}'. Remove apiVersion.`,
    );
  return { ...options, canton: apiVersion };
}

/** The options that state releases. */
interface Stating extends StatedRelease {
  readonly participants?: readonly NodeOptions[] | undefined;
  readonly validators?: readonly {
    readonly participant?: string;
    readonly splice?: StatedRelease['splice'];
  }[];
  readonly registryPreviews?: readonly RegistryPreview[];
}

/** @throws TypeError for a release of Splice that does not run on the stated release of Canton */
export function statedReleases(options: Stating): StatedReleases {
  const { participants = [], validators = [], registryPreviews } = options;
  const own = new Map<string, StatedRelease>();
  for (const { name, ...each } of participants) own.set(name, releaseIn(each));
  const [first] = participants;
  for (const { participant = first?.name ?? 'sandbox', splice } of validators)
    if (splice !== undefined) own.set(participant, { ...own.get(participant), splice });
  const nodes = [...own].filter(([, each]) => Object.keys(each).length > 0);
  requireFitting('', options);
  for (const [name, each] of nodes) requireFitting(` of participant '${name}'`, each);
  return {
    ...releaseIn(options),
    ...(nodes.length > 0 && { nodes: Object.fromEntries(nodes) }),
    ...(registryPreviews && { registryPreviews }),
  };
}

/** Only the members about the release, if they are set. */
function releaseIn({ canton, splice, ...options }: StatedRelease): StatedRelease {
  const { enableDeprecatedEndpoints34, enableDeprecatedParameters34, enableDeprecatedEndpoints35 } =
    options;
  const all = {
    canton,
    splice,
    enableDeprecatedEndpoints34,
    enableDeprecatedParameters34,
    enableDeprecatedEndpoints35,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function requireFitting(whose: string, { canton, splice }: StatedRelease): void {
  if (canton === undefined || splice === undefined) return;
  const least = spliceReleaseOf(splice).canton;
  if (compareVersions(canton, least) < 0)
    throw refused(
      `two releases${whose} do not fit, canton: '${canton}' and splice: '${splice}'. Splice ${splice} runs on Canton ${least} or later. Remove the former.`,
    );
}

/** The participants without their releases, which the network does not know. */
export const withoutReleases = (
  participants: readonly NodeOptions[] | undefined,
): readonly ParticipantOptions[] | undefined =>
  participants?.map(
    ({
      canton: _,
      enableDeprecatedEndpoints34: __,
      enableDeprecatedParameters34: ___,
      enableDeprecatedEndpoints35: ____,
      externalCalls: _____,
      ...each
    }: NodeOptions & DeprecatedApiOptions) => each,
  );

/** The participants with the usual mode of their traffic accounts. */
export function withAccounts(
  participants: readonly ParticipantOptions[] | undefined,
  trafficAccounts: ParticipantOptions['trafficAccounts'],
): readonly ParticipantOptions[] | undefined {
  if (trafficAccounts === undefined) return participants;
  return (participants ?? [{ name: 'sandbox' }]).map((each) => ({ trafficAccounts, ...each }));
}

/** The protocol version that all participants support, by default. */
export function usualProtocol(
  releases: Releases,
  participants: readonly ParticipantOptions[] | undefined,
): ProtocolVersion {
  const all = participants?.map(({ name }) => releases.at(name)) ?? [releases];
  return Math.min(
    ...all.map(({ apiVersion }) => releaseOf(apiVersion).protocolVersion),
  ) as ProtocolVersion;
}

/** The languages of a release's participants. */
export function languagesOf(
  apiVersion: Releases['apiVersion'],
  alpha: boolean | undefined,
): LanguageSupport {
  return { ...releaseOf(apiVersion).languages, ...(alpha === true && { alpha }) };
}

/** The engine's rules of each participant. @param usual options of the network */
export function rulesOf(
  releases: Releases,
  { languages }: Pick<NetworkOptions, 'languages'>,
): Pick<NetworkOptions, 'rules' | 'byParticipant'> {
  const { apiVersion: usual, stated } = releases;
  const others = Object.keys(stated.nodes ?? {}).flatMap((name) => {
    const { apiVersion } = releases.at(name);
    if (apiVersion === usual) return [];
    const own = {
      rules: releaseOf(apiVersion).engine,
      languages: languagesOf(apiVersion, languages?.alpha),
    };
    return [[name, own] as const];
  });
  return {
    rules: releaseOf(usual).engine,
    byParticipant: Object.fromEntries(others),
  };
}

/**
 * A participant can only connect to synchronizers whose protocol version its release supports (R-36-061), and not each
 * release has traffic accounts (R-36-046).
 * @param usual the protocol version of synchronizers without their own
 * @throws TypeError
 */
export function requireSupported(
  releases: Releases,
  participants: readonly ParticipantOptions[] | undefined,
  synchronizers: readonly SynchronizerOptions[],
  usual: ProtocolVersion,
): void {
  const all: readonly ParticipantOptions[] = participants ?? [{ name: 'sandbox' }];
  for (const { name, synchronizers: aliases, trafficAccounts } of all) {
    const { apiVersion } = releases.at(name);
    if (trafficAccounts !== undefined && releaseOf(apiVersion).hasTrafficAccounts !== true)
      throw refused(
        `participant ${name} of release ${apiVersion} with trafficAccounts. Set canton: '3.6'.`,
      );
    const supported = supportedProtocols(releaseOf(apiVersion).engine);
    for (const { alias, protocolVersion = usual } of synchronizers) {
      if (aliases?.includes(alias) === false || supported.includes(protocolVersion)) continue;
      throw refused(
        `participant ${name} of release ${apiVersion} on synchronizer ${alias} with protocol version ${protocolVersion}. ` +
          `The release supports only ${supported.join(' and ')}. Set a newer release.`,
      );
    }
  }
}
