/** A network: the ledger, and participants that see their part of it. `open.ts` creates one. */
import { ledgerError } from '../daml/errors/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../daml/model/package.js';
import type { PackageId } from '../daml/model/types.js';
import { ChoiceCoverage } from './coverage/choice-coverage.js';
import { Faults } from './faults/faults.js';
import type { LedgerOptions } from './ledger-options.js';
import { Ledger } from './ledger/ledger.js';
import { networkPackages } from './packages/network-packages.js';
import { Participant, type ParticipantOptions, type SharedOptions } from './participant.js';

export interface NetworkOptions extends LedgerOptions, Omit<SharedOptions, 'everywhere'> {
  /** One `sandbox`, connected to every synchronizer, by default. */
  readonly participants?: readonly ParticipantOptions[];
  /** The differences of participants of other releases, by their names. */
  readonly byParticipant?: Readonly<
    Record<string, Pick<SharedOptions, 'languages' | 'rules' | 'extensions'>>
  >;
  /** Known and vetted everywhere from the start. */
  readonly packages?: readonly DamlPackage[];
  /** Ids of Canticle's own packages, which coverage reports leave out. */
  readonly ownPackages?: ReadonlySet<PackageId>;
  /** Ids of the operations that faults may happen to; any where absent. */
  readonly operations?: () => ReadonlySet<string>;
}

export class Network extends Ledger {
  readonly participants: readonly Participant[];
  /** The packages of all participants. */
  readonly packages: PackageLookup = networkPackages(() => this.participants);
  /** Off until it is started. */
  readonly coverage: ChoiceCoverage;
  /** The injected faults. */
  readonly faults: Faults;

  constructor(readonly options: NetworkOptions = {}) {
    super(options);
    const shared = { ...options, everywhere: this.packages };
    this.participants = (options.participants ?? [{ name: 'sandbox' }]).map(
      (each) => new Participant(this, each, { ...shared, ...options.byParticipant?.[each.name] }),
    );
    this.faults = new Faults(this.journal, this.random, {
      operations: options.operations,
      participants: {
        names: this.participants.map(({ name }) => name),
        has: (named) => this.participants.some(({ name, id }) => name === named || id === named),
      },
      synchronizers: {
        names: this.synchronizers.map(({ alias }) => alias),
        has: (named) => this.synchronizer(named) !== undefined,
      },
    });
    this.onRevert(() => void this.faults.release());
    this.faults.onRestart((participant) => {
      this.inFlight.abandon(participant);
      this.externalCalls.abandon(participant);
    });
    this.externalCalls.isUsed = this.participants.some(
      ({ shared }) => shared.extensions !== undefined,
    );
    this.coverage = new ChoiceCoverage(() => this.participants, options.ownPackages);
    for (const participant of this.participants) {
      this.join(participant);
      this.topology.hostItself(participant.id, participant.registered);
    }
  }

  /** @throws InvariantError for a name that no participant has; check names from outside first. */
  participant(nameOrId: string): Participant {
    const found = this.participants.find(({ name, id }) => name === nameOrId || id === nameOrId);
    if (found === undefined)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Unknown participant ${nameOrId}. There are: ${this.participants.map(({ name }) => name).join(', ')}.`,
      );
    return found;
  }
}
