/** The requirements that a request can have, and the building blocks for the rows of `./claims.ts`. */
import type {
  EventFormat,
  TransactionFilter,
  TransactionFormat,
  UpdateFormat,
} from '../../spec/generated/ledger.js';

/** A member of a request that is filled in from the token if it is empty. */
export interface Place {
  get(): string;
  set(text: string): void;
}

export type Requirement =
  /** Any valid token. */
  | { readonly kind: 'public' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'adminOrIdpAdmin' }
  | { readonly kind: 'actAs' | 'readAs' | 'executeAs'; readonly parties: readonly string[] }
  /** For each party of a prepared transaction, which is base64 at this point. */
  | { readonly kind: 'executePrepared'; readonly prepared: string }
  | { readonly kind: 'readAsAnyParty' }
  /** At least one party to read as. */
  | { readonly kind: 'readAsSomeone' }
  /** An administrator, or a user with a right for each of the parties, of which there is at least one. */
  | { readonly kind: 'adminOrOperateAs'; readonly parties: readonly string[] }
  /** An administrator, or the very user. */
  | { readonly kind: 'adminOrSelf'; readonly userId: string }
  /** The user of the token, which is the default. */
  | { readonly kind: 'user'; readonly place: Place; readonly orAnyPartyReader?: boolean }
  /** The same, and administrators for everyone. */
  | { readonly kind: 'userOrAdmin'; readonly place: Place }
  /** The identity provider of the token, which is the default. */
  | { readonly kind: 'identityProvider'; readonly place: Place };

export const PUBLIC: Requirement = { kind: 'public' };
export const ADMIN: Requirement = { kind: 'admin' };

/** A member of an object that may be missing, of which then nothing is filled in. */
export function place(object: object | undefined, member: string): Place {
  return new MemberPlace((object ?? {}) as Record<string, string | undefined>, member);
}

class MemberPlace implements Place {
  constructor(
    private readonly own: Record<string, string | undefined>,
    private readonly member: string,
  ) {}

  get(): string {
    return this.own[this.member] ?? '';
  }

  set(text: string): void {
    this.own[this.member] = text;
  }
}

type Message = Record<string, string | undefined>;

/**
 * The same of a message inside of a request. A missing message is created, with `empty` as its other members, when
 * a value is written into it.
 */
export function placeIn(
  request: object,
  message: string,
  member: string,
  empty: () => object,
): Place {
  const own = request as Record<string, Message | undefined>;
  return {
    get: () => own[message]?.[member] ?? '',
    set: (text) => void ((own[message] ??= empty() as Message)[member] = text),
  };
}

/** For a request that has no such field. */
export const nowhere = (): Place => place(undefined, '');

/** The requirement for callers that manage users or parties of one identity provider. */
export function idpAdmin(identityProvider: Place, needsAdmin = false): Requirement[] {
  return [
    { kind: needsAdmin ? 'admin' : 'adminOrIdpAdmin' },
    { kind: 'identityProvider', place: identityProvider },
  ];
}

export function readAs(parties: readonly string[]): Requirement[] {
  return [{ kind: 'readAs', parties }];
}

export function readAsOrAnyParty(parties: readonly string[] = []): Requirement[] {
  return parties.length === 0 ? [{ kind: 'readAsAnyParty' }] : readAs(parties);
}

/** B-AUTH-022. */
export function submission(
  user: Place,
  { actAs = [], readAs: readers = [] }: { actAs?: readonly string[]; readAs?: readonly string[] },
): Requirement[] {
  return [
    { kind: 'user', place: user },
    { kind: 'actAs', parties: actAs },
    { kind: 'readAs', parties: readers },
  ];
}

/** B-AUTH-021. */
export function eventFormat(format: EventFormat | TransactionFilter | undefined): Requirement[] {
  if (!format) return [];
  const everyone: Requirement[] = format.filtersForAnyParty ? [{ kind: 'readAsAnyParty' }] : [];
  return [...readAs(Object.keys(format.filtersByParty ?? {})), ...everyone];
}

export function transactionFormat(format: TransactionFormat | undefined): Requirement[] {
  return eventFormat(format?.eventFormat);
}

export function updateFormat(format: UpdateFormat | undefined): Requirement[] {
  const topology = format?.includeTopologyEvents?.includeParticipantAuthorizationEvents;
  return [
    ...transactionFormat(format?.includeTransactions),
    ...eventFormat(format?.includeReassignments),
    ...(topology ? readAsOrAnyParty(topology.parties) : []),
  ];
}
