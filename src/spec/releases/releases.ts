/** The releases of a network: of each participant, of each validator app, and of Scan with the SV app and the registry. */
import {
  DEFAULT_API_VERSION,
  DEFAULT_SPLICE_VERSION,
  spliceReleaseOf,
  type ApiVersion,
  type SpliceVersion,
} from '../versions.js';
import type { DeprecatedApis } from '../deprecated/deprecated-apis.js';
import type { RegistryPreview } from '../splice/registry-previews.js';
import { enabledAgain, type DeprecatedApiOptions } from './node-options.js';

/** The stated releases of a node, or of all nodes. */
export interface StatedRelease extends DeprecatedApiOptions {
  readonly canton?: ApiVersion | undefined;
  readonly splice?: SpliceVersion | undefined;
}

/** The stated releases of a network. */
export interface StatedReleases extends StatedRelease {
  /** By the participant's name, the nodes that differ. */
  readonly nodes?: Readonly<Record<string, StatedRelease>>;
  /** The upcoming APIs of the registry that are switched on. */
  readonly registryPreviews?: readonly RegistryPreview[];
}

/** The release of a participant, and of its validator app. */
export interface NodeRelease {
  readonly apiVersion: ApiVersion;
  /** The disabled parts of the Ledger API that its options enable again. */
  readonly enabledAgain: readonly DeprecatedApis[];
  readonly validatorVersion: SpliceVersion;
}

export class Releases {
  /** The usual release of participants. */
  readonly apiVersion: ApiVersion;
  /** The release of Scan, the SV app and the registry, and the usual one of validators. */
  readonly spliceVersion: SpliceVersion;

  /** @param documented returns the usual release with documents of the user */
  constructor(
    readonly stated: StatedReleases = {},
    documented = (version: ApiVersion): ApiVersion => version,
  ) {
    this.apiVersion = documented(cantonOf(stated) ?? DEFAULT_API_VERSION);
    this.spliceVersion = stated.splice ?? DEFAULT_SPLICE_VERSION;
  }

  /** The upcoming APIs that the registry serves too. */
  get registryPreviews(): readonly RegistryPreview[] {
    return this.stated.registryPreviews ?? [];
  }

  /** The releases of Canton that the network may have. */
  get cantonVersions(): readonly ApiVersion[] {
    const named = Object.keys(this.stated.nodes ?? {}).map((name) => this.at(name).apiVersion);
    return [...new Set([this.apiVersion, ...named])];
  }

  /** @param participant its name */
  at(participant: string): NodeRelease {
    const own = this.stated.nodes?.[participant] ?? {};
    return {
      apiVersion: cantonOf(own) ?? this.apiVersion,
      enabledAgain: enabledAgain({ ...this.stated, ...own }),
      validatorVersion: own.splice ?? this.spliceVersion,
    };
  }
}

/** A release of Splice implies the release of Canton that it runs on. */
const cantonOf = ({ canton, splice }: StatedRelease): ApiVersion | undefined =>
  canton ?? (splice && spliceReleaseOf(splice).canton);
