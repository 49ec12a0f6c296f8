/** The world of a scenario: the network, its views and the names of results. */
import { template as templateOf } from '../daml/model/package.js';
import { encodeValue } from '../daml/codec/json/codec.js';
import { qualifiedNameOf } from '../daml/model/types.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { Network } from '../network/network.js';
import type { Synchronizer } from '../network/synchronizer.js';
import type { Splice } from '../splice/splice.js';
import { suggestion } from '../daml/errors/edit-distance.js';
import { ScenarioError } from '../wallet/scenario-error.js';
import { Names } from './names.js';
import type { Amulet } from '../wallet/amulet.js';
import type { DappWallet } from '../wallet/dapp-wallet.js';
import type { ParticipantView } from '../wallet/participant-view.js';
import type { StandardToken } from '../wallet/standard-token.js';
import type { TestToken } from '../wallet/test-token.js';

/** The parts of a Canticle that scenarios need. */
export interface ScenarioTarget {
  readonly network: Network;
  readonly splice: Splice;
  readonly token: TestToken;
  readonly amulet: Amulet;
  readonly participants: readonly ParticipantView[];
}

export class World {
  readonly names: Names;
  readonly network: Network;
  readonly participants: readonly ParticipantView[];
  /** Not in the journal: a snapshot outlives the revert to it. */
  readonly snapshots = new Map<string, string>();
  /** If there is a Wallet Gateway. */
  dappWallet: DappWallet | undefined;

  /** @param readFile returns the bytes of a file that a scenario names; this folder has no access to the file system */
  constructor(
    readonly target: ScenarioTarget,
    readonly readFile: (path: string) => Uint8Array,
  ) {
    const { network, participants } = target;
    this.network = network;
    this.participants = participants;
    this.names = new Names(network.journal);
    this.names.partyWithHint = (hint) => this.hosted(hint);
  }

  get splice(): Splice {
    return this.begun.splice;
  }

  get token(): TestToken {
    return this.begun.token;
  }

  get amulet(): Amulet {
    return this.begun.amulet;
  }

  /** If the DSO is created on demand, it exists from now on. */
  private get begun(): ScenarioTarget {
    this.target.splice.begin();
    return this.target;
  }

  /** By its name in the scenario, by its id, or by the hint that it was allocated with. */
  party(given: string): Party {
    const named = this.names.get(given);
    if (typeof named === 'string' && named.includes('::')) return named;
    if (given.includes('::')) return given;
    const hosted = this.hosted(given);
    if (hosted !== undefined) return hosted;
    const hints = this.network.topology.parties().map((id) => id.split('::')[0]!);
    const later = this.names.whereDefined(given);
    throw new ScenarioError(
      `There is no party '${given}'. ${later ?? suggestion(given, hints).trim()}`.trim(),
    );
  }

  private hosted(hint: string): Party | undefined {
    return this.network.topology.parties().find((id) => id.startsWith(`${hint}::`));
  }

  /** The token of a pending transfer: Amulet if the contract is one of its instructions. */
  tokenOf(instruction: ContractId): StandardToken {
    return this.amulet.partiesOf(instruction) === undefined ? this.token : this.amulet;
  }

  synchronizer(given: string): Synchronizer {
    const found = this.network.synchronizer(given);
    if (found !== undefined) return found;
    const aliases = this.network.synchronizers.map(({ alias }) => alias);
    throw new ScenarioError(`There is no synchronizer '${given}'.${suggestion(given, aliases)}`);
  }

  participant(given: string): ParticipantView {
    const found = this.participants.find(({ name, id }) => name === given || id === given);
    if (found !== undefined) return found;
    const names = this.participants.map(({ name }) => name);
    throw new ScenarioError(`There is no participant '${given}'.${suggestion(given, names)}`);
  }

  /** The participant on which a party acts and reads: its host, unless another participant is named. */
  hostOf(party: Party | undefined, named?: ParticipantView): ParticipantView {
    return (
      named ??
      this.participants.find(({ engine }) => party !== undefined && engine.hosts(party)) ??
      this.participants[0]!
    );
  }

  aliasOf(synchronizerId: string): string {
    return this.network.synchronizer(synchronizerId)?.alias ?? synchronizerId;
  }

  /** The create arguments of a contract, as Ledger API JSON. */
  payloadOf(contractId: ContractId): unknown {
    const stored = this.network.contracts.get(contractId);
    if (stored === undefined) return undefined;
    const { packages } = this.network;
    const { payloadType } = templateOf(packages, stored.instance.templateId)!;
    return encodeValue(packages, payloadType, stored.instance.payload);
  }

  /** Describes a contract: its synchronizer and its payload. */
  describe(contractId: ContractId): string {
    const { contracts } = this.network;
    const state = contracts.state(contractId);
    const stored = contracts.get(contractId);
    if (state === undefined || stored === undefined) return 'no such contract';
    const what = `${qualifiedNameOf(stored.instance.templateId)} ${this.show(this.payloadOf(contractId))}`;
    if (state.kind === 'archived') return `archived, ${what}`;
    const counter = `counter ${state.reassignmentCounter}`;
    if (state.kind === 'active')
      return `active on ${this.aliasOf(state.synchronizerId)}, ${counter}, ${what}`;
    const way = `from ${this.aliasOf(state.source)} to ${this.aliasOf(state.target)}`;
    return `inFlight ${way}, ${counter}, ${what}`;
  }

  /** JSON with names instead of ids. */
  show(json: unknown): string {
    return this.humanize(JSON.stringify(json));
  }

  /** A text for people, with names, aliases and hints instead of ids. */
  humanize(text: string): string {
    let result = this.names.humanize(text);
    for (const { id, alias } of this.network.synchronizers) result = result.replaceAll(id, alias);
    return result.replace(/::1220[0-9a-f]{64}/g, '');
  }
}
