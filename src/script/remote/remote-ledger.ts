/**
 * A ledger behind a JSON Ledger API, as a script asks it: a participant of any network. As with the real runner over an API, time is
 * that of the clock, contracts are searched by template, and why one is not found is not told.
 */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { interfaceDefinition, template as templateOf } from '../../daml/model/package.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { TypeId } from '../../daml/model/types.js';
import type {
  ContractId,
  DamlRecord,
  DamlValue,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import { ScriptRefusal } from '../failures.js';
import type {
  Outcome,
  PackageName,
  ScriptContract,
  ScriptLedger,
  ScriptSubmission,
} from '../ledger.js';
import type { ScriptPackages } from '../packages.js';
import { JSON_VALUES, JsonApi, type Json, type RemoteValues, type Send } from './json-api.js';
import { byName, commandJson, payloadOf, remoteEvents } from './remote-commands.js';
import { RemoteUsers } from './remote-users.js';

export interface RemoteSetting {
  readonly send: Send;
  /** Microseconds since 1970. */
  readonly now: () => Timestamp;
  readonly wait: (micros: bigint) => Promise<void>;
  /** A text that no command had before. */
  readonly newCommandId: () => string;
  /** The user that submits; where absent, the token says who it is. */
  readonly userId?: string;
  /** How Daml values travel; as JSON by default. */
  readonly values?: RemoteValues;
}

type Created = Json & { readonly blob: string };

export class RemoteLedger implements ScriptLedger {
  private readonly api: JsonApi;
  private readonly values: RemoteValues;
  private readonly accounts: RemoteUsers;

  constructor(
    private readonly packages: ScriptPackages,
    private readonly setting: RemoteSetting,
  ) {
    this.api = new JsonApi(setting.send);
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
    const transactionFormat = {
      eventFormat,
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    };
    const path = '/v2/commands/submit-and-wait-for-transaction';
    try {
      const answer = await this.api.ask('POST', path, { commands, transactionFormat });
      const { events } = answer['transaction'] as { readonly events: readonly Json[] };
      return { events: remoteEvents(this.packages, this.values, events, submission.commands) };
    } catch (error) {
      if (error instanceof LedgerError) return { refused: { error } };
      throw error;
    }
  }

  /** Active contracts that pass the filter, as they were created. */
  private async active(parties: readonly Party[], filter: object): Promise<readonly Created[]> {
    const { offset } = await this.api.ask('GET', '/v2/state/ledger-end');
    const body = { activeAtOffset: offset, eventFormat: filterFor(parties, filter) };
    const entries = await this.api.list('POST', '/v2/state/active-contracts', body);
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
    const told = (each: DamlValue) => JSON.stringify(encodeValue(this.packages, type, each));
    const wanted = told(key);
    const all = await this.ofTemplate(parties, id);
    return all
      .filter((each) => told(this.values.read(this.packages, type, each['contractKey'])) === wanted)
      .slice(0, limit)
      .map((each) => this.contract(id, each));
  }

  async allocateParty(partyIdHint: string): Promise<Party> {
    const body = { partyIdHint, identityProviderId: '' };
    const answer = await this.api.unless([], 'POST', '/v2/parties', body);
    return String((answer!['partyDetails'] as Json)['party']);
  }

  async knownParties() {
    const all: { party: Party; isLocal: boolean }[] = [];
    for (let token = ''; ;) {
      const page = await this.api.ask('GET', `/v2/parties?pageToken=${encodeURIComponent(token)}`);
      for (const { party, isLocal } of page['partyDetails'] as readonly Json[])
        all.push({ party: String(party), isLocal: isLocal === true });
      token = String(page['nextPageToken'] ?? '');
      if (token === '') return all;
    }
  }

  time(): Timestamp {
    return this.setting.now();
  }

  setTime(): never {
    throw new ScriptRefusal('setTime is not supported in wallclock mode');
  }

  sleep(micros: bigint): Promise<void> {
    return this.setting.wait(micros);
  }

  users(): RemoteUsers {
    return this.accounts;
  }

  vet(): never {
    throw new ScriptRefusal('Packages are not vetted over the JSON API');
  }

  unvet(): never {
    throw new ScriptRefusal('Packages are not unvetted over the JSON API');
  }

  vettedPackages(): never {
    throw new ScriptRefusal('Packages are not listed over the JSON API');
  }

  allPackages(): readonly PackageName[] {
    throw new ScriptRefusal('Packages are not listed over the JSON API');
  }
}

const filterFor = (parties: readonly Party[], identifierFilter: object): object => ({
  filtersByParty: Object.fromEntries(
    parties.map((party) => [party, { cumulative: [{ identifierFilter }] }]),
  ),
  verbose: false,
});
