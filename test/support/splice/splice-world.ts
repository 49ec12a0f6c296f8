/** A network with a DSO, with requests to its APIs without a port. The client checks each answer against its schema. */
import {
  acceptedNow,
  type Network,
  type NetworkOptions,
  openNetwork,
  type Participant,
  submitReassignment,
  submit,
  type ReassignmentCommand,
  type Submission,
  type ReassignmentUpdate,
  type TransactionUpdate,
} from '../../../src/network/index.js';
import {
  quickstartPackage,
  Iou,
  Numeric,
  STABLE_PACKAGES,
  type Command,
  type ContractInstance,
  type ContractId,
  type DamlRecord,
  type Party,
} from '../../../src/daml/index.js';
import {
  Dispatcher,
  Issuer,
  PageGuard,
  REQUEST_TIMEOUT_MS,
  routerOf,
  type Router,
} from '../../../src/http/index.js';
import { CHECKPOINT_DELAYS, Checkpoints, RequestJournal } from '../../../src/services/index.js';
import { contentFor, type RegistryPreview, Releases } from '../../../src/spec/index.js';
import { Splice, type SpliceOptions } from '../../../src/splice/splice.js';
import { TOKEN_PACKAGES } from '../../../src/token/index.js';
import { expectValid } from '../validate.js';

export const TWO_SYNCHRONIZERS = [
  { alias: 'global', identifier: 'global-domain' },
  { alias: 'app-synchronizer' },
];

export interface Answer {
  readonly status: number;

  readonly body: any;
}

export class SpliceWorld {
  readonly network: Network;
  readonly splice: Splice;
  private readonly router: Router;
  private readonly dispatcher: Dispatcher;
  private commands = 0;

  constructor(
    options: {
      network?: NetworkOptions;
      splice?: SpliceOptions;
      registryPrefixes?: readonly string[];
      registryPreviews?: readonly RegistryPreview[];
    } = {},
  ) {
    this.network = openNetwork({
      packages: [...STABLE_PACKAGES, quickstartPackage, ...TOKEN_PACKAGES],
      ...options.network,
    });
    this.splice = new Splice(this.network, options.splice);
    const { registryPrefixes, registryPreviews } = options;
    this.router = routerOf({ registryPrefixes, registryPreviews });
    const releases = new Releases({ registryPreviews });
    const { network, splice } = this;
    this.dispatcher = new Dispatcher(
      {
        network,
        splice,
        participant: this.participant,
        requests: new RequestJournal(),
        releases,
        ...releases.at(this.participant.name),
        checkpoints: new Checkpoints(network.participants, CHECKPOINT_DELAYS),
        requestTimeout: REQUEST_TIMEOUT_MS,
        enableVerboseHashing: false,
        participantNames: [this.participant.name],
        readReader: () => undefined,
        inspector: async () => undefined,
        dump: () => new Uint8Array(),
        access: {
          ledgerApiOf: () => undefined,
          needsToken: () => false,
          tokenOf: async () => undefined,
        },
        openControls: false,
        pages: new PageGuard([]),
        journal: 'brief',
        issuer: new Issuer(0, [], {}, Date.now),
      },
      this.router,
    );
  }

  get participant(): Participant {
    return this.network.participants[0]!;
  }

  get<T = unknown>(target: string): Promise<Answer & { body: T }> {
    return this.sendRequest('GET', target);
  }

  post(target: string, body: unknown): Promise<Answer> {
    return this.sendRequest('POST', target, body);
  }

  async sendRequest(method: string, target: string, json?: unknown): Promise<Answer> {
    const wire = await this.dispatcher.answer({
      method,
      target,
      isRemote: false,
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      headers: () => ({}),
      root: () => 'http://localhost',
      readBody: () => Promise.resolve(Buffer.from(JSON.stringify(json))),
      signal: () => new AbortController().signal,
    });
    const text = String(wire.body ?? '');
    const isJson = wire.headers['content-type']?.startsWith('application/json') === true;
    const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    const match = this.router.match(method, target.split('?')[0]!);
    if (match.kind !== 'operation') throw new Error(`No operation answers ${method} ${target}.`);
    const { operationId, api } = match.operation;
    // Scan's documents omit most errors (S-GEN-007): this checks their common form instead.
    // The server rejects an unreadable request in plain text before the operation: 404 if a parameter is missing
    // (V-GEN-018).
    if (text !== '' && !isJson) expect([400, 404]).toContain(wire.status);
    else if (contentFor(match.operation, wire.status) !== undefined)
      await expectValid(operationId, wire.status, body, api, this.router.spoken);
    else expect(body).toEqual({ error: expect.any(String) });
    return { status: wire.status, body };
  }

  submit(
    actAs: readonly Party[],
    commands: readonly Command[],
    more: Partial<Submission> = {},
  ): TransactionUpdate {
    const sender = this.participantOf(actAs[0]!);
    const result = acceptedNow(sender.ledger, () =>
      submit(sender, {
        commandId: `command-${++this.commands}`,
        userId: 'test',
        actAs,
        commands,
        ...more,
      }),
    );
    return result.update;
  }

  /** By default on the global synchronizer, which has Splice's contracts: routing would choose the first by id. */
  create(
    actAs: readonly Party[],
    templateId: string,
    payload: DamlRecord,
    more: Partial<Submission> = {},
  ): ContractId {
    const { id: synchronizerId } = this.network.synchronizers[0]!;
    const command: Command = { kind: 'create', templateId, payload };
    const { nodes } = this.submit(actAs, [command], { synchronizerId, ...more }).transaction;
    const [node] = nodes;
    if (node?.kind !== 'create') throw new Error('a creation creates');
    return node.contract.contractId;
  }

  exercise(
    actAs: readonly Party[],
    templateId: string,
    contractId: ContractId,
    choice: string,
    argument: DamlRecord,
    disclosed: readonly ContractInstance[] = [],
  ): TransactionUpdate {
    return this.submit(actAs, [{ kind: 'exercise', templateId, contractId, choice, argument }], {
      disclosedContracts: disclosed.map((contract) => ({ contract, synchronizerId: undefined })),
    });
  }

  iou(
    owner: Party,
    more: { issuer?: Party; observers?: readonly Party[]; amount?: string } = {},
  ): ContractId {
    const { issuer = owner, observers = [], amount = '1' } = more;
    const payload = { issuer, owner, currency: 'EUR', amount: Numeric.of(amount), observers };
    return this.create([...new Set([issuer, owner])], Iou.id, payload);
  }

  split(owner: Party, iou: ContractId, amount: string): TransactionUpdate {
    return this.exercise([owner], Iou.id, iou, 'Iou_Split', { splitAmount: Numeric.of(amount) });
  }

  /** @returns the reassignment id */
  unassign(
    submitter: Party,
    contractIds: readonly ContractId[],
    from = 'global',
    to = 'app-synchronizer',
  ): string {
    const [source, target] = [this.synchronizerId(from), this.synchronizerId(to)];
    const update = this.reassign(
      submitter,
      contractIds.map((contractId) => ({ kind: 'unassign', contractId, source, target })),
    );
    return update.events[0]!.reassignmentId;
  }

  assign(
    submitter: Party,
    reassignmentId: string,
    from = 'global',
    to = 'app-synchronizer',
  ): ReassignmentUpdate {
    const [source, target] = [this.synchronizerId(from), this.synchronizerId(to)];
    return this.reassign(submitter, [{ kind: 'assign', reassignmentId, source, target }]);
  }

  synchronizerId(alias: string): string {
    return this.network.synchronizer(alias)!.id;
  }

  migrate(migrationId: number): void {
    this.network.migrations.schedule({ time: this.network.clock.now(), migrationId });
    this.network.migrations.carryOut();
  }

  private reassign(submitter: Party, commands: readonly ReassignmentCommand[]): ReassignmentUpdate {
    const sender = this.participantOf(submitter);
    const result = acceptedNow(sender.ledger, () =>
      submitReassignment(sender, {
        commandId: `command-${++this.commands}`,
        userId: 'test',
        submitter,
        commands,
      }),
    );
    return result.update;
  }

  private participantOf(party: Party): Participant {
    return this.network.participants.find((each) => each.hosts(party))!;
  }
}
