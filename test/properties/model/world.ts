/**
 * The topology of the model and the ledger: two participants, two synchronizers, and one party that is on only one
 * of them.
 */
export type Host = 'one' | 'two';
export type Alias = 'global' | 'app';

export const HOSTS: readonly Host[] = ['one', 'two'];
/** In the order of connection, which decides nothing: among equals the first by id is chosen. */
export const SYNCHRONIZERS: readonly Alias[] = ['global', 'app'];

/**
 * For how many microseconds after an unassignment to it only the submitter may assign: a minute unless told
 * otherwise.
 */
export const EXCLUSIVITY: Readonly<Record<Alias, bigint>> = { global: 60_000_000n, app: 7n };

/** The registry's admin acts for the test token alone. */
export const ADMIN = 'admin';
/** Takes no part in anything. */
export const STRANGER = 'stranger';

const PARTIES: Readonly<Record<string, { readonly home: Host; readonly on: readonly Alias[] }>> = {
  [ADMIN]: { home: 'one', on: SYNCHRONIZERS },
  alice: { home: 'one', on: SYNCHRONIZERS },
  bob: { home: 'one', on: SYNCHRONIZERS },
  carol: { home: 'two', on: SYNCHRONIZERS },
  dave: { home: 'one', on: ['global'] },
  [STRANGER]: { home: 'two', on: SYNCHRONIZERS },
};

export const EVERYONE: readonly string[] = Object.keys(PARTIES);
/** Those whom steps are made of. */
export const ACTORS: readonly string[] = ['alice', 'bob', 'carol', 'dave'];

/** The start of its id: parties are sorted by it. */
export const idOf = (party: string): string => (party === ADMIN ? 'DSO' : party);
export const homeOf = (party: string): Host => PARTIES[party]!.home;
export const synchronizersOf = (party: string): readonly Alias[] => PARTIES[party]!.on;
export const isOn = (party: string, alias: Alias): boolean =>
  synchronizersOf(party).includes(alias);
