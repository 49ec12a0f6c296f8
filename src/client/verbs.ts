/** Requests to a participant that forks, tests, scenarios and scripts share. */
import { API_VERSIONS, type ApiVersion } from '../spec/versions.js';
import type { ConnectedSynchronizer } from '../spec/generated/ledger.js';
import { call, read, type Requests, type Json } from './requests.js';
import { OPERATIONS } from './operations.js';

/** A right of a user, for a party or without one. */
export interface ClientRight {
  readonly kind: string;
  readonly party?: string;
}

export interface ClientUser {
  readonly id: string;
  readonly primaryParty: string | undefined;
}

const rightJson = ({ kind, party }: ClientRight): object => ({
  kind: { [kind]: { value: party === undefined ? {} : { party } } },
});

export const rightsIn = (list: unknown): readonly ClientRight[] =>
  ((list ?? []) as readonly Json[]).flatMap(({ kind }) =>
    Object.entries((kind ?? {}) as Record<string, { readonly value?: Json }>).map(
      ([name, { value }]) => {
        const party = value?.['party'] as string | undefined;
        return party === undefined ? { kind: name } : { kind: name, party };
      },
    ),
  );

/** The participant's version, and the matching release of Canticle: undefined if Canticle has none. */
export function* releaseOf(): Requests<{ version: string; apiVersion: ApiVersion | undefined }> {
  const { version } = yield* read<{ version: string }>(OPERATIONS.version);
  return { version, apiVersion: API_VERSIONS.find((each) => version.startsWith(`${each}.`)) };
}

/** Without `PAR::`. */
export function* participantIdOf(): Requests<string> {
  const answer = yield* read<{ participantId: string }>(OPERATIONS.participantId);
  return answer.participantId.replace(/^PAR::/, '');
}

export function* synchronizersOf(): Requests<readonly ConnectedSynchronizer[]> {
  const answer = yield* read<{ connectedSynchronizers?: readonly ConnectedSynchronizer[] }>(
    OPERATIONS.synchronizers,
  );
  return answer.connectedSynchronizers ?? [];
}

export function* allocateParty(partyIdHint: string, synchronizerId?: string): Requests<string> {
  const body = {
    ...{ partyIdHint, identityProviderId: '' },
    ...(synchronizerId !== undefined && { synchronizerId }),
  };
  const { partyDetails } = yield* call(OPERATIONS.allocateParty, { body });
  return String((partyDetails as Json)['party']);
}

export function createUser(
  { id, primaryParty = '' }: ClientUser,
  rights: readonly ClientRight[],
): Requests<Json> {
  const metadata = { resourceVersion: '', annotations: {} };
  const user = { id, primaryParty, isDeactivated: false, metadata, identityProviderId: '' };
  return call(OPERATIONS.createUser, { body: { user, rights: rights.map(rightJson) } });
}

/** @returns those that the user did not have, or had */
export function* changeRights(
  change: 'grant' | 'revoke',
  id: string,
  rights: readonly ClientRight[],
): Requests<readonly ClientRight[]> {
  const body = { userId: id, rights: rights.map(rightJson), identityProviderId: '' };
  const answer = yield* call(OPERATIONS[change], { id, body });
  return rightsIn(answer[change === 'grant' ? 'newlyGrantedRights' : 'newlyRevokedRights']);
}

export function* rightsOf(id: string): Requests<readonly ClientRight[]> {
  return rightsIn((yield* call(OPERATIONS.rights, { id }))['rights']);
}

export function* ledgerEnd(): Requests<number> {
  return Number((yield* call(OPERATIONS.ledgerEnd))['offset']);
}

/** Waits for its transaction, which is in the shape of ledger effects. */
export function* submitted(commands: object, eventFormat: object): Requests<Json> {
  const transactionFormat = { eventFormat, transactionShape: LEDGER_EFFECTS };
  const answer = yield* call(OPERATIONS.submit, { body: { commands, transactionFormat } });
  return answer['transaction'] as Json;
}

export const LEDGER_EFFECTS = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';

/** An entry of each contract that is active at the offset. */
export function* activeContracts(
  activeAtOffset: number,
  eventFormat: object,
): Requests<readonly Json[]> {
  const body = { activeAtOffset, eventFormat };
  return (yield* call(OPERATIONS.activeContracts, { body })) as unknown as readonly Json[];
}
