/**
 * A ledger behind a JSON Ledger API, for scripts: a participant of any network. As with the real runner over an
 * API, the time is the clock's time unless the setting selects the ledger's time. Contracts are searched by
 * template, and there is no reason for a contract that was not found.
 */
import { call, type Json, type Send } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { allPages } from '../../client/paging.js';
import { activeContracts, allocateParty, ledgerEnd, submitted } from '../../client/verbs.js';
import { encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { interfaceDefinition, template as templateOf } from '../../daml/model/package.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { formatInstant, parseTimestamp } from '../../daml/model/time.js';
import type { TypeId } from '../../daml/model/types.js';
import type {
  ContractId,
  DamlRecord,
  DamlValue,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import type { Awaitable } from '../awaited.js';
import { ScriptRefusal } from '../failures.js';
import type {
  Outcome,
  PackageName,
  ScriptContract,
  ScriptLedger,
  ScriptSubmission,
} from '../ledger.js';
import type { ScriptPackages } from '../packages.js';
import { JSON_VALUES, RemoteApi, type RemoteValues } from './remote-api.js';
import { byName, commandJson, keyJson, payloadOf, remoteEvents } from './remote-commands.js';
import { RemoteUsers } from './remote-users.js';

export interface RemoteSetting {
  readonly send: Send;
  /** Microseconds since 1970. */
  readonly now: () => Timestamp;
  readonly wait: (micros: bigint) => Promise<void>;
  /** Returns a new text for each command. */
  readonly newCommandId: () => string;
  /** The user that submits; if absent, the token contains the user. */
  readonly userId?: string;
  /** The form of Daml values; JSON by default. */
  readonly values?: RemoteValues;
  /**
   * Whether the ledger has its own time, which scripts can set. This needs gRPC, because the JSON Ledger API has no
   * time service.
   */
  readonly isStatic?: boolean;
}

type Created = Json & { readonly blob: string };

export class RemoteLedger implements ScriptLedger {
  private readonly api: RemoteApi;
  private readonly values: RemoteValues;
  private readonly accounts: RemoteUsers;

  constructor(
    private readonly packages: ScriptPackages,
    private readonly setting: RemoteSetting,
  ) {
    this.api = new RemoteApi(setting.send);
    this.values = setting.values ?? JSON_VALUES;
    this.accounts = new RemoteUsers(this.api);
  }

  async submit(submission: ScriptSubmission): Promise<Outcome> {
    const { actAs, readAs, packagePreference } = submission;
    const commands = {
      commands: submission.commands.map((each) => commandJson(this.packages, this.values, each)),
      commandId: this.setting.newCommandId(),
      userId: this.setting.userId ?? '',
      actAs,
      readAs,
      packageIdSelectionPreference: packagePreference,
      prefetchContractKeys: submission.prefetchedKeys.map((each) =>
        keyJson(this.packages, this.values, each),
      ),
      disclosedContracts: submission.disclosures.map(({ contractId, templateId, blob }) => ({
        contractId,
        templateId,
        createdEventBlob: Buffer.from(blob, 'hex').toString('base64'),
        synchronizerId: '',
      })),
    };
    const eventFormat = filterFor(actAs, {
      WildcardFilter: { value: { includeCreatedEventBlob: false } },
    });
    try {
      const answer = await this.api.run(submitted(commands, eventFormat));
      const events = answer['events'] as readonly Json[];
      return { events: remoteEvents(this.packages, this.values, events, submission.commands) };
    } catch (error) {
      if (error instanceof LedgerError) return { refused: { error } };
      throw error;
    }
  }

  /** Active contracts that match the filter, as they were created. */
  private async active(parties: readonly Party[], filter: object): Promise<readonly Created[]> {
    const end = await this.api.run(ledgerEnd());
    const entries = await this.api.run(activeContracts(end, filterFor(parties, filter)));
    return entries.flatMap(({ contractEntry }) => {
      const active = isJsonObject(contractEntry) && contractEntry['JsActiveContract'];
      if (!isJsonObject(active)) return [];
      const created = active['createdEvent'] as Json;
      const blob = Buffer.from(String(created['createdEventBlob'] ?? ''), 'base64');
      return [{ ...created, blob: blob.toString('hex') }];
    });
  }

  private ofTemplate(parties: readonly Party[], id: TypeId): Promise<readonly Created[]> {
    const value = { templateId: byName(this.packages, id), includeCreatedEventBlob: true };
    return this.active(parties, { TemplateFilter: { value } });
  }

  private contract(templateId: TypeId, created: Created): ScriptContract {
    const payload = payloadOf(this.packages, this.values, templateId, created);
    return { contractId: String(created['contractId']), templateId, payload };
  }

  async query(parties: readonly Party[], id: TypeId): Promise<readonly ScriptContract[]> {
    return (await this.ofTemplate(parties, id)).map((each) => this.contract(id, each));
  }

  async queryContractId(parties: readonly Party[], id: TypeId, contractId: ContractId) {
    const all = await this.ofTemplate(parties, id);
    const found = all.find((each) => each['contractId'] === contractId);
    return found && { ...this.contract(id, found), blob: found.blob };
  }

  async queryInterface(parties: readonly Party[], id: TypeId) {
    const value = { interfaceId: byName(this.packages, id), includeInterfaceView: true };
    const found = await this.active(parties, { InterfaceFilter: { value } });
    return found.map((created) => {
      const view = this.view(id, created);
      return { contractId: String(created['contractId']), ...(view && { view }) };
    });
  }

  private view(id: TypeId, created: Created): DamlRecord | undefined {
    const [shown] = (created['interfaceViews'] ?? []) as readonly Json[];
    const type = interfaceDefinition(this.packages, id)?.viewType;
    const value = shown?.['viewValue'];
    if (type === undefined || value === undefined || value === null) return undefined;
    return this.values.read(this.packages, type, value) as DamlRecord;
  }

  async queryInterfaceContractId(
    parties: readonly Party[],
    interfaceId: TypeId,
    contractId: ContractId,
  ): Promise<DamlRecord | undefined> {
    const all = await this.queryInterface(parties, interfaceId);
    return all.find((each) => each.contractId === contractId)?.view;
  }

  async queryByKey(parties: readonly Party[], id: TypeId, key: DamlValue, limit: number) {
    const type = templateOf(this.packages, id)?.key?.type;
    if (type === undefined) return [];
    const encoded = (each: DamlValue) => JSON.stringify(encodeValue(this.packages, type, each));
    const wanted = encoded(key);
    const all = await this.ofTemplate(parties, id);
    return all
      .filter(
        (each) => encoded(this.values.read(this.packages, type, each['contractKey'])) === wanted,
      )
      .reverse()
      .slice(0, limit)
      .map((each) => this.contract(id, each));
  }

  async allocateParty(partyIdHint: string, participants: readonly string[]): Promise<Party> {
    // NOTE: the real runner uses their admin ports.
    if (participants.length > 1)
      throw new ScriptRefusal(
        'Parties on several participants are not allocated over a Ledger API',
      );
    return (await this.api.unless([], allocateParty(partyIdHint)))!;
  }

  async knownParties() {
    const all = await this.api.run(allPages(OPERATIONS.parties));
    return all.map(({ party, isLocal }) => ({ party: String(party), isLocal: isLocal === true }));
  }

  time(): Awaitable<Timestamp> {
    return this.setting.isStatic === true ? this.ledgerTime() : this.setting.now();
  }

  private async ledgerTime(): Promise<Timestamp> {
    const answer = await this.api.unless([], call(OPERATIONS.time));
    return parseTimestamp(String(answer!['currentTime']))!;
  }

  async setTime(time: Timestamp): Promise<void> {
    if (this.setting.isStatic !== true)
      throw new ScriptRefusal('setTime is not supported in wallclock mode');
    const currentTime = formatInstant(await this.ledgerTime());
    const body = { currentTime, newTime: formatInstant(time) };
    await this.api.unless([], call(OPERATIONS.setTime, { body }));
  }

  sleep(micros: bigint): Promise<void> {
    return this.setting.wait(micros);
  }

  users(): RemoteUsers {
    return this.accounts;
  }

  vet(names: readonly PackageName[]): Promise<void> {
    return this.changeVetting('Vet', names);
  }

  unvet(names: readonly PackageName[]): Promise<void> {
    return this.changeVetting('Unvet', names);
  }

  private async changeVetting(change: 'Vet' | 'Unvet', names: readonly PackageName[]) {
    const packages = names.map(({ name, version }) => ({
      packageId: '',
      packageName: name,
      packageVersion: version,
    }));
    const changes = [{ operation: { [change]: { value: { packages } } } }];
    const body = { changes, dryRun: false, synchronizerId: '' };
    await this.api.unless([], call(OPERATIONS.vet, { body }));
  }

  vettedPackages(): never {
    throw this.isUnsupported('listVettedPackages');
  }

  allPackages(): never {
    throw this.isUnsupported('listAllPackages');
  }

  private isUnsupported(question: string): ScriptRefusal {
    const transport = this.values === JSON_VALUES ? 'JSON API' : 'gRPC API';
    return new ScriptRefusal(
      `${question} is not supported when running Daml Script over the ${transport}`,
      'UnsupportedOperationException',
    );
  }
}

const filterFor = (parties: readonly Party[], identifierFilter: object): object => ({
  filtersByParty: Object.fromEntries(
    parties.map((party) => [party, { cumulative: [{ identifierFilter }] }]),
  ),
  verbose: false,
});
