/** The gateway's requests to the JSON Ledger API of a participant. Its answers and errors are those of any client. */
import { isJsonObject } from '../../daml/model/own-members.js';
import { LedgerRefused } from './rpc-error.js';
import type { PrepareRequest } from './records.js';

export interface LedgerRequest {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Without one, the request has no header `Authorization`. */
  readonly token?: string | undefined;
}

/** One participant. */
export interface LedgerPort {
  /** @throws TypeError if the connection fails */
  send(request: LedgerRequest): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** A ledger that does not answer, as at a wrong address. */
export const UNREACHABLE: LedgerPort = {
  send: () => Promise.reject(new TypeError('fetch failed')),
};

/** The operations that the gateway uses, with one token. */
export class LedgerCalls {
  constructor(
    private readonly port: LedgerPort,
    private readonly token: string | undefined,
  ) {}

  get = (path: string): Promise<Json> => this.send({ method: 'GET', path });
  post = (path: string, body: unknown): Promise<Json> => this.send({ method: 'POST', path, body });

  /** @throws LedgerRefused, or TypeError without a connection */
  private async send(request: LedgerRequest): Promise<Json> {
    const { status, body } = await this.port.send({ ...request, token: this.token });
    if (status >= 400) throw new LedgerRefused(status, body);
    return body as Json;
  }

  /** Whether the participant answers; otherwise the reason why not. */
  async status(): Promise<{ readonly isConnected: boolean; readonly reason: string }> {
    try {
      await this.get('/v2/version');
      return { isConnected: true, reason: 'OK' };
    } catch (error) {
      // An answer of the participant has no message.
      const why = error instanceof LedgerRefused ? undefined : (error as Error).message;
      return { isConnected: false, reason: `Ledger unreachable: ${why}` };
    }
  }

  async participantNamespace(): Promise<string> {
    const { participantId } = await this.get('/v2/parties/participant-id');
    return String(participantId).split('::')[1] ?? '';
  }

  async synchronizerId(): Promise<string> {
    const { connectedSynchronizers } = await this.get('/v2/state/connected-synchronizers');
    const [first] = (connectedSynchronizers ?? []) as readonly Json[];
    if (first === undefined) throw new Error('No connected synchronizers found');
    return String(first['synchronizerId']);
  }

  /** The kinds of the user's rights, such as `{ CanActAs: { value: { party } } }`. */
  async rightsOf(userId: string): Promise<readonly Json[]> {
    const { rights } = await this.get(`/v2/users/${encodeURIComponent(userId)}/rights`);
    return ((rights ?? []) as readonly Json[]).map(({ kind }) => (kind ?? {}) as Json);
  }

  async letActAs(userId: string, party: string): Promise<void> {
    await this.post(`/v2/users/${encodeURIComponent(userId)}/rights`, {
      identityProviderId: '',
      userId,
      rights: [{ kind: { CanActAs: { value: { party } } } }],
    });
  }

  async allocate(userId: string, partyIdHint: string, synchronizerId: string): Promise<string> {
    const body = { partyIdHint, identityProviderId: '', synchronizerId, userId };
    const { partyDetails } = await this.post('/v2/parties', body);
    return String((partyDetails as Json)['party']);
  }

  /** @param keyData base64 @param signed returns the signature of a hash, both in base64 @returns the party's id */
  async allocateExternal(
    partyHint: string,
    key: { readonly keyData: string; readonly fingerprint: string },
    synchronizer: string,
    signed: (hash: string) => string,
  ): Promise<string> {
    const { topologyTransactions, multiHash } = await this.post(
      '/v2/parties/external/generate-topology',
      {
        synchronizer,
        partyHint,
        publicKey: {
          format: 'CRYPTO_KEY_FORMAT_RAW',
          keyData: key.keyData,
          keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
        },
        localParticipantObservationOnly: false,
        confirmationThreshold: 1,
        otherConfirmingParticipantUids: [],
        observingParticipantUids: [],
      },
    );
    const { partyId } = await this.post('/v2/parties/external/allocate', {
      synchronizer,
      identityProviderId: '',
      onboardingTransactions: (topologyTransactions as readonly string[]).map((transaction) => ({
        transaction,
      })),
      multiHashSignatures: [signatureOf(signed(String(multiHash)), key.fingerprint)],
    });
    return String(partyId);
  }

  async prepare(body: ReturnType<typeof prepareBody>): Promise<Prepared> {
    return (await this.post('/v2/interactive-submission/prepare', body)) as unknown as Prepared;
  }

  /** Submits commands that the participant signs. */
  submit(body: ReturnType<typeof prepareBody>): Promise<Json> {
    return this.post('/v2/commands/submit-and-wait', body);
  }

  execute(
    userId: string,
    party: string,
    transaction: { readonly preparedTransaction: string; readonly commandId: string },
    { signature, signedBy }: { readonly signature: string; readonly signedBy: string },
  ): Promise<Json> {
    return this.post('/v2/interactive-submission/executeAndWait', {
      userId,
      preparedTransaction: transaction.preparedTransaction,
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      submissionId: transaction.commandId,
      deduplicationPeriod: { Empty: {} },
      partySignatures: {
        signatures: [{ party, signatures: [signatureOf(signature, signedBy)] }],
      },
    });
  }
}

export type Json = Readonly<Record<string, unknown>>;

/** The answer to a request to prepare. */
export interface Prepared {
  readonly preparedTransaction: string;
  readonly preparedTransactionHash: string;
}

const signatureOf = (signature: string, signedBy: string) => ({
  signature,
  signedBy,
  format: 'SIGNATURE_FORMAT_CONCAT',
  signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
});

/** The request to prepare or submit what a dApp asked for. */
export function prepareBody(
  userId: string,
  partyId: string,
  synchronizerId: string,
  request: PrepareRequest & { readonly commandId: string },
) {
  const { commands, commandId, actAs, readAs = [], disclosedContracts = [] } = request;
  return {
    commands,
    commandId,
    userId,
    actAs: actAs ?? [partyId],
    readAs,
    disclosedContracts: disclosedContracts.map((each) => ({
      templateId: each['templateId'] ?? '',
      contractId: each['contractId'] ?? '',
      createdEventBlob: each['createdEventBlob'],
      synchronizerId: each['synchronizerId'] ?? '',
    })),
    synchronizerId,
    verboseHashing: false,
    packageIdSelectionPreference: request.packageIdSelectionPreference ?? [],
  };
}

/** A path with its parameters, `{name}`, and a query, both percent-encoded. */
export function filledPath(resource: string, path: unknown, query: unknown): string {
  const members = (value: unknown) => (isJsonObject(value) ? value : {});
  const filled = resource.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const given = members(path)[name];
    return given === undefined ? whole : encodeURIComponent(String(given));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members(query)))
    for (const each of [value].flat()) search.append(name, String(each));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
