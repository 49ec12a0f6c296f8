/**
 * Operations of the Ledger API that the JSON Ledger API does not list: the ledger time, pruning, details of
 * packages, and a party's identity provider. Each with the rights that it requires.
 */
import { missingField } from '../../daml/model/identifiers.js';
import { logged, QUOTED } from '../../daml/errors/logging-context.js';
import { formatInstant } from '../../daml/model/time.js';
import { parseInstant } from '../../daml/codec/java-time.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import { ADMIN, PUBLIC, type Requirement } from '../authorization/requirements.js';
import type { LedgerContext } from '../handler.js';

/** An operation with its own message, in the shape that messages have in the services. */
export interface Unlisted<M, R> {
  readonly requires: (message: M) => readonly Requirement[];
  readonly handle: (context: LedgerContext, message: M) => R;
}

const admin = (): readonly Requirement[] => [ADMIN];
const anyone = (): readonly Requirement[] => [PUBLIC];

interface Times {
  readonly currentTime?: string;
  readonly newTime?: string;
}

const timeIn = (text: string | undefined, field: string): bigint => {
  if (text === undefined) throw missingField(field);
  return parseInstant(text);
};

export const getTime: Unlisted<object, { currentTime: string }> = {
  requires: anyone,
  handle: ({ network }) => ({ currentTime: formatInstant(network.clock.now()) }),
};

/** @throws LedgerError INVALID_ARGUMENT for a time that is not the present one, or that has passed */
export const setTime: Unlisted<Times, object> = {
  requires: admin,
  handle: ({ network: { clock } }, { currentTime, newTime }) => {
    const expected = timeIn(currentTime, 'current_time');
    const requested = timeIn(newTime, 'new_time');
    const [was, wanted] = [formatInstant(expected), formatInstant(requested)];
    if (requested < expected)
      throw invalidArgument(
        `new_time [${wanted}] is before current_time [${was}]. Setting time backwards is not allowed.`,
      );
    if (clock.now() !== expected)
      throw invalidArgument(
        `current_time mismatch. Provided: ${was}. Actual: ${formatInstant(clock.now())}`,
      );
    clock.set(requested);
    return {};
  },
};

export const prune: Unlisted<{ readonly pruneUpTo: number }, object> = {
  requires: admin,
  handle: ({ participant }, { pruneUpTo }) => {
    participant.prune(pruneUpTo);
    return {};
  },
};

/** NOTE: the upload time of a package is not stored. The answer has the ledger's start time. */
export const listKnownPackages: Unlisted<object, object> = {
  requires: admin,
  handle: ({ participant, network }) => ({
    packageDetails: participant.packages.servedIds().map((packageId) => {
      const { name, version, archive } = participant.packages.served(packageId)!;
      const knownSince = formatInstant(network.startTime);
      return { packageId, packageSize: archive.length, knownSince, name, version };
    }),
  }),
};

interface PartyMove {
  readonly party: string;
  readonly sourceIdentityProviderId: string;
  readonly targetIdentityProviderId: string;
}

export const updatePartyIdentityProviderId: Unlisted<PartyMove, object> = {
  requires: admin,
  handle: logged(
    QUOTED,
    ({ participant }, { party, sourceIdentityProviderId, targetIdentityProviderId }) => {
      participant.parties.moveToIdentityProvider(
        party,
        sourceIdentityProviderId,
        targetIdentityProviderId,
      );
      return {};
    },
  ),
};
