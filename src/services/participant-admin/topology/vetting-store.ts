/**
 * The vetted packages in a synchronizer's store, as signed transactions. The model stores the packages, and the number
 * of their changes. Additions take effect at once.
 */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { toHex } from '../../../daml/model/hash.js';
import { scalaSet } from '../../../daml/errors/scala-text.js';
import type { Participant } from '../../../network/participant.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { encodeVettedPackages } from '../../../network/topology/party-hosting.js';
import type { StoredMapping } from '../../../network/topology/signed-mappings.js';
import { signatureOf } from '../../../network/topology/store-signing.js';
import {
  participantMember,
  signingKeysOf,
} from '../../../network/topology/topology-transactions.js';
import { replaceVetting } from '../../../network/vetting/vetting-update.js';
import { NotServed } from '../not-served.js';
import { readKnown } from './store-writes.js';
import type { StorePart } from './synchronizer-store.js';
import type { AdminContext } from '../admin-context.js';

const MAY_BE_UNKNOWN = 'FORCE_FLAG_ALLOW_UNKNOWN_PACKAGE';
const MAY_LACK_DEPENDENCIES = 'FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES';
const MAY_BE_NO_UPGRADE = 'FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES';

export function vettingPart(context: AdminContext, synchronizer: Synchronizer): StorePart {
  const { network } = context;
  const { id } = synchronizer;
  const { random, topology, startTime: since } = network;
  const participants = network.participants.filter((each) => each.isConnectedTo(id));
  const memberOf = (participant: Participant) =>
    participantMember(participant.id, participant.name);
  const stored = (transaction: StoredMapping['transaction'], participant: Participant) => {
    const [root] = signingKeysOf(random, memberOf(participant));
    const signatures = [signatureOf(root!, transaction.hash)];
    return { transaction, signatures, joint: [], isProposal: false, since };
  };
  const vettedBy = (participant: Participant): StoredMapping | undefined => {
    const { serial, packages } = topology.vetting(participant.id, id);
    if (serial === 0) return undefined;
    const encoded = encodeVettedPackages(participant.id, serial, packages.values());
    return stored(readKnown(encoded), participant);
  };
  const apply: StorePart['apply'] = ({ transaction, isProposal }, force) => {
    const { mapping, replaces } = transaction;
    if (mapping.kind !== 'VettedPackages') return;
    // A transaction without its participant's signature has no effect, and is not stored.
    if (isProposal) throw new NotServed('proposals of VettedPackages');
    const participant = participants.find((each) => each.id === mapping.participantId)!;
    const packages = replaces ? mapping.packages : [];
    const missing = packages
      .map(({ packageId }) => packageId)
      .filter((each) => participant.packages.package(each) === undefined);
    if (missing.length > 0) {
      if (force.includes(MAY_BE_UNKNOWN)) throw new NotServed('packages that are not there');
      throw ledgerError('TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES', {
        cause: 'Package vetting failed due to packages not existing on the local node',
        context: { packages: scalaSet(missing) },
      });
    }
    replaceVetting(participant, id, packages, {
      allowIncompatible: force.includes(MAY_BE_NO_UPGRADE),
      allowUnvettedDependencies: force.includes(MAY_LACK_DEPENDENCIES),
    });
  };
  return {
    latest: ({ kind, ...mapping }) => {
      const named = 'participantId' in mapping ? mapping.participantId : undefined;
      const found = participants.find((each) => each.id === named);
      return kind === 'VettedPackages' && found ? vettedBy(found) : undefined;
    },
    byHash: (hash) =>
      participants
        .map(vettedBy)
        .find((each) => each !== undefined && toHex(each.transaction.hash) === hash),
    apply,
  };
}
