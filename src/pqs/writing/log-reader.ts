/** Reads the updates and contracts of a participant that a database has, with the code of the Ledger API. */
import type { PackageId } from '../../daml/model/types.js';
import type { EventFilter, EventFormat, UpdateFormat } from '../../network/reading/event-format.js';
import type { Participant } from '../../network/participant.js';
import { ViewVersions } from '../../network/routing/interface-views.js';
import { activeContracts } from '../../services/ledger-api/state/state.js';
import { readUpdates } from '../../services/ledger-api/updates/updates.js';
import type { CreatedEvent, JsGetUpdatesResponse } from '../../spec/generated/ledger.js';
import type { RowOptions } from './row-options.js';
import { partyFilter, typeFilter, type TypeFilter } from './filters.js';
import { SQL_VALUES } from './rows.js';

export class LogReader {
  private readonly isWantedParty: ((party: string) => boolean) | undefined;
  private readonly isWanted: TypeFilter;
  private readonly hasMetadata: TypeFilter;
  private readonly shape: 'ACS_DELTA' | 'LEDGER_EFFECTS';
  /** By the names of types, as of the packages at that time. */
  private included = new Set<string>();
  private withBlob = new Set<string>();
  private filter: EventFilter | undefined;

  /** @throws Error for an invalid filter */
  constructor(
    private readonly participant: Participant,
    options: RowOptions,
  ) {
    const { filterParties = '*', filterContracts = '*', filterMetadata = '!*' } = options;
    this.isWantedParty = filterParties === '*' ? undefined : partyFilter(filterParties);
    this.isWanted = typeFilter(filterContracts);
    this.hasMetadata = typeFilter(filterMetadata);
    this.shape = options.datasource === 'TransactionTreeStream' ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
  }

  /** Call it when the participant has new packages. */
  packagesChanged(): void {
    this.filter = undefined;
  }

  readonly includes = (type: string): boolean => this.included.has(type);
  readonly includesBlob = (type: string): boolean => this.withBlob.has(type);

  /** Updates with begin < offset ≤ end that the database shows. */
  *updates(
    begin: number,
    end: number,
  ): Generator<{ readonly offset: number; readonly element: JsGetUpdatesResponse }> {
    const eventFormat = this.eventFormat();
    if (eventFormat === undefined) return;
    const transactions = { eventFormat, shape: this.shape };
    const format: UpdateFormat = { transactions, reassignments: eventFormat, topology: undefined };
    const versions = new ViewVersions(this.participant);
    yield* readUpdates(
      { ...this.context(), call: this.context(), format, versions },
      begin,
      end,
      false,
    );
  }

  *activeAt(offset: number): Generator<CreatedEvent> {
    const eventFormat = this.eventFormat();
    if (eventFormat === undefined) return;
    const from = { part: 'active', after: 0, taken: 0 } as const;
    for (const { entry } of activeContracts(this.context(), eventFormat, offset, from))
      if ('JsActiveContract' in entry.contractEntry)
        yield entry.contractEntry.JsActiveContract.createdEvent;
  }

  private context() {
    const { participant } = this;
    return { participant, values: SQL_VALUES, origin: { participant: participant.name } };
  }

  /** Undefined if no party is wanted. */
  private eventFormat(): EventFormat | undefined {
    const filter = (this.filter ??= this.eventFilter());
    const { participant, isWantedParty } = this;
    if (isWantedParty === undefined)
      return { byParty: new Map(), anyParty: filter, witnesses: undefined, verbose: true };
    const parties = participant.ledger.topology
      .parties()
      .filter((party) => participant.hosts(party) && isWantedParty(party))
      .sort();
    if (parties.length === 0) return undefined;
    const byParty = new Map(parties.map((party) => [party, filter] as const));
    return { byParty, anyParty: undefined, witnesses: parties, verbose: true };
  }

  private eventFilter(): EventFilter {
    const { packages } = this.participant;
    const templates = new Map<string, { blob: boolean }>();
    const interfaces = new Map<string, { blob: boolean; view: boolean }>();
    [this.included, this.withBlob] = [new Set(), new Set()];
    const take = (
      id: PackageId,
      names: Iterable<string>,
      add: (name: string, blob: boolean) => void,
    ) => {
      const { name: packageName, version } = packages.package(id)!;
      for (const qualifiedName of names) {
        const type = { packageName, version, qualifiedName };
        if (!this.isWanted(type)) continue;
        const blob = this.hasMetadata(type);
        const name = `${packageName}:${qualifiedName}`;
        this.included.add(name);
        if (blob) this.withBlob.add(name);
        add(qualifiedName, blob);
      }
    };
    for (const id of packages.ids()) {
      const each = packages.package(id)!;
      take(id, each.templates.keys(), (name, blob) => {
        const key = `${each.name}:${name}`;
        templates.set(key, { blob: blob || templates.get(key)?.blob === true });
      });
      take(id, each.interfaces.keys(), (name, blob) => {
        interfaces.set(`${id}:${name}`, { blob, view: true });
      });
    }
    return { wildcard: undefined, templates, interfaces };
  }
}
