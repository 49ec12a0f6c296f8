/** A participant can only connect to synchronizers whose protocol version its release supports (R-36-061). */
import { supportedProtocols } from '../daml/refusals/engine-rules.js';
import type { ProtocolVersion } from '../network/model/protocol.js';
import type { ParticipantOptions } from '../network/participant.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import type { Releases } from '../spec/releases/releases.js';
import { releaseOf } from '../spec/versions.js';
import { refused } from './options.js';

/**
 * @param usual the protocol version of synchronizers without their own
 * @throws TypeError
 */
export function requireSupported(
  releases: Releases,
  participants: readonly ParticipantOptions[] | undefined,
  synchronizers: readonly SynchronizerOptions[],
  usual: ProtocolVersion,
): void {
  for (const { name, synchronizers: aliases } of participants ?? [{ name: 'sandbox' }]) {
    const { apiVersion } = releases.at(name);
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
