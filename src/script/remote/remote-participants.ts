/**
 * Combines several participants behind Ledger APIs into one ledger, from a participants file. A request for a party
 * goes to the participant that allocated it, or that the file names. Other requests go to the default participant.
 */
import type { TypeId } from '../../daml/model/types.js';
import type { ContractId, DamlValue, Party, Timestamp } from '../../daml/model/values.js';
import { ScriptRefusal } from '../failures.js';
import type { PackageName, ScriptLedger, ScriptSubmission, ScriptUsers } from '../ledger.js';
import type { RemoteLedger } from './remote-ledger.js';

export class RemoteParticipants implements ScriptLedger {
  private readonly places: Map<Party, string>;

  constructor(
    private readonly usual: RemoteLedger,
    private readonly participants: ReadonlyMap<string, RemoteLedger>,
    /** The names of the parties' participants. */
    places: Iterable<readonly [Party, string]>,
  ) {
    this.places = new Map(places);
  }

  /** The participant with the name. An unknown name means the default participant, as with the real runner. */
  private named(name: string | undefined): RemoteLedger {
    return (name !== undefined && this.participants.get(name)) || this.usual;
  }

  /** @throws ScriptRefusal */
  private of(parties: readonly Party[]): RemoteLedger {
    const [first, ...others] = parties.map((party) => this.named(this.places.get(party)));
    if (others.every((each) => each === first)) return first ?? this.usual;
    const allocations = parties.map(
      (party) => `${party} on ${this.places.get(party) ?? 'the default'}`,
    );
    throw new ScriptRefusal(
      `All parties must be on the same participant but parties were allocated as follows: ${allocations.join(', ')}`,
    );
  }

  async submit(submission: ScriptSubmission) {
    return await this.of(submission.actAs).submit(submission);
  }

  async query(parties: readonly Party[], templateId: TypeId) {
    return await this.of(parties).query(parties, templateId);
  }

  async queryContractId(parties: readonly Party[], templateId: TypeId, contractId: ContractId) {
    return await this.of(parties).queryContractId(parties, templateId, contractId);
  }

  async queryInterface(parties: readonly Party[], interfaceId: TypeId) {
    return await this.of(parties).queryInterface(parties, interfaceId);
  }

  async queryInterfaceContractId(parties: readonly Party[], id: TypeId, contractId: ContractId) {
    return await this.of(parties).queryInterfaceContractId(parties, id, contractId);
  }

  async queryByKey(parties: readonly Party[], id: TypeId, key: DamlValue, limit: number) {
    return await this.of(parties).queryByKey(parties, id, key, limit);
  }

  async allocateParty(hint: string, participants: readonly string[]): Promise<Party> {
    const [own] = participants;
    const party = await this.named(own).allocateParty(hint, participants);
    if (own !== undefined) this.places.set(party, own);
    return party;
  }

  knownParties(participant: string | undefined) {
    return this.named(participant).knownParties();
  }

  time() {
    return this.usual.time();
  }

  setTime(time: Timestamp): Promise<void> {
    return this.usual.setTime(time);
  }

  sleep(micros: bigint): Promise<void> {
    return this.usual.sleep(micros);
  }

  /** The users of a participant. Each user that a script reads also sets the participant of its party. */
  users(participant: string | undefined): ScriptUsers {
    const users = this.named(participant).users();
    return {
      create: (user, rights) => users.create(user, rights),
      get: async (id) => {
        const user = await users.get(id);
        if (participant !== undefined && user?.primaryParty !== undefined)
          this.places.set(user.primaryParty, participant);
        return user;
      },
      delete: (id) => users.delete(id),
      all: () => users.all(),
      grant: (id, rights) => users.grant(id, rights),
      revoke: (id, rights) => users.revoke(id, rights),
      rights: (id) => users.rights(id),
    };
  }

  vet(packages: readonly PackageName[], participant: string | undefined): Promise<void> {
    return this.named(participant).vet(packages);
  }

  unvet(packages: readonly PackageName[], participant: string | undefined): Promise<void> {
    return this.named(participant).unvet(packages);
  }

  vettedPackages(): never {
    return this.usual.vettedPackages();
  }

  allPackages(): never {
    return this.usual.allPackages();
  }
}
