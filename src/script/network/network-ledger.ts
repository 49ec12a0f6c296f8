/**
 * A network in this process as the ledger of a script. Each party acts on the participant that allocated it, or else on
 * the first one that hosts all acting parties. NOTE: a script that sleeps advances the time of the network.
 */
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { contractKey } from '../../daml/contract/contract-key.js';
import { Machine } from '../../daml/lf/runtime/machine.js';
import { toHex } from '../../daml/model/hash.js';
import { template as templateOf } from '../../daml/model/package.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import type {
  ContractId,
  DamlRecord,
  DamlValue,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { ScriptRefusal } from '../failures.js';
import { inVersion, preferredVersion, viewedBy, viewOf } from '../in-version.js';
import type {
  Outcome,
  PackageName,
  ScriptContract,
  ScriptLedger,
  ScriptSubmission,
} from '../ledger.js';
import type { ScriptPackages } from '../packages.js';
import { refusedAs } from './refused-as.js';
import { submitTo } from './submit-to.js';
import { allPages, NetworkUsers } from './network-users.js';
import { changeVetting, vettedBy } from './network-vetting.js';

export class NetworkLedger implements ScriptLedger {
  /** The participants of parties that a script allocated, or that act through their user. */
  private readonly places = new Map<Party, Participant>();

  constructor(
    private readonly network: Network,
    private readonly packages: ScriptPackages,
    /** The participant for requests that name none. */
    private readonly usual: Participant,
  ) {}

  /** @throws ScriptRefusal for a name that no participant has */
  private named(name: string | undefined): Participant {
    if (name === undefined) return this.usual;
    const { participants } = this.network;
    const found = participants.find((each) => each.name === name);
    if (found !== undefined) return found;
    const known = participants.map((each) => each.name).join(', ');
    throw new ScriptRefusal(`No participant ${name}: there are ${known}`);
  }

  private of(parties: readonly Party[]): Participant {
    const placed = new Set(parties.flatMap((party) => this.places.get(party) ?? []));
    if (placed.size > 1) throw new ScriptRefusal('All parties must be on the same participant');
    const [own] = placed;
    if (own !== undefined) return own;
    const hostsAll = (each: Participant) => parties.every((party) => each.hosts(party));
    if (hostsAll(this.usual)) return this.usual;
    return this.network.participants.find(hostsAll) ?? this.usual;
  }

  submit(submission: ScriptSubmission): Outcome {
    return submitTo(this.of(submission.actAs), this.packages, submission);
  }

  query(parties: readonly Party[], templateId: TypeId): readonly ScriptContract[] {
    const name = this.packages.package(templateId.slice(0, templateId.indexOf(':')))?.name;
    const wanted = qualifiedNameOf(templateId);
    return this.visible(parties)
      .filter((each) => each.packageName === name && qualifiedNameOf(each.templateId) === wanted)
      .map((each) => inVersion(this.packages, each, templateId));
  }

  private visible(parties: readonly Party[]): readonly ContractInstance[] {
    const found = new Map<ContractId, ContractInstance>();
    for (const { contract } of this.of(parties).activeContracts.now(
      parties.map((party) => ({ party, templates: undefined })),
    ))
      found.set(contract.contractId, contract);
    return [...found.values()];
  }

  private find(parties: readonly Party[], id: ContractId): ContractInstance | undefined {
    const contract = this.of(parties).activeContracts.get(id)?.contract;
    const isSeen = contract && stakeholdersOf(contract).some((party) => parties.includes(party));
    return isSeen ? contract : undefined;
  }

  queryContractId(parties: readonly Party[], templateId: TypeId, contractId: ContractId) {
    const found = this.find(parties, contractId);
    if (found === undefined) return undefined;
    const blob = toHex(createdEventBytes(this.packages, found));
    return { ...inVersion(this.packages, found, templateId), blob };
  }

  queryInterface(parties: readonly Party[], interfaceId: TypeId) {
    const packages = this.of(parties).packagesFor();
    return viewedBy(this.packages, packages, this.visible(parties), interfaceId);
  }

  queryInterfaceContractId(
    parties: readonly Party[],
    interfaceId: TypeId,
    contractId: ContractId,
  ): DamlRecord | undefined {
    const found = this.find(parties, contractId);
    if (found === undefined) return undefined;
    const version = preferredVersion(this.of(parties).packagesFor(), found);
    return viewOf(this.packages, found, version, interfaceId);
  }

  queryByKey(parties: readonly Party[], templateId: TypeId, key: DamlValue, limit: number) {
    const template = templateOf(this.packages, templateId);
    if (template?.key === undefined) return [];
    const { hash } = contractKey(new Machine(this.packages), template, key);
    const found = [...this.network.contracts.withKey(hash)].flatMap(
      (id) => this.find(parties, id) ?? [],
    );
    return found.slice(0, limit).map((each) => inVersion(this.packages, each, templateId));
  }

  allocateParty(hint: string, participants: readonly string[]): Party {
    const [own, ...others] = participants.map((name) => this.named(name));
    const party = refusedAs(() =>
      this.network.journal.atomically(() => {
        const allocated = (own ?? this.usual).allocateParty(hint);
        for (const each of new Set(others))
          if (each !== own) each.parties.host(allocated, each.connected);
        return allocated;
      }),
    );
    if (own !== undefined) this.places.set(party, own);
    return party;
  }

  knownParties(name: string | undefined) {
    const { parties } = this.named(name);
    const known = allPages((pageToken) => parties.list({ pageToken }));
    return known.map(({ party, isLocal }) => ({ party, isLocal }));
  }

  time(): Timestamp {
    return this.network.clock.now();
  }

  setTime(time: Timestamp): void {
    refusedAs(() => this.network.clock.set(time));
  }

  sleep(micros: bigint): void {
    if (micros > 0n) this.network.clock.advance(micros);
  }

  users(name: string | undefined): NetworkUsers {
    const participant = this.named(name);
    return new NetworkUsers(participant.users, ({ primaryParty }) => {
      if (name !== undefined && primaryParty !== undefined)
        this.places.set(primaryParty, participant);
    });
  }

  vet(names: readonly PackageName[], participant: string | undefined): void {
    changeVetting(this.named(participant), 'vet', names);
  }

  unvet(names: readonly PackageName[], participant: string | undefined): void {
    changeVetting(this.named(participant), 'unvet', names);
  }

  vettedPackages(): readonly PackageName[] {
    return vettedBy(this.usual);
  }

  allPackages(): readonly PackageName[] {
    const { packages } = this.usual;
    return packages.ids().map((id) => packages.package(id)!);
  }
}
