/**
 * The operation table, the only registry of operations. The router, the documents, the validators, the coverage table
 * and the conformance test derive from it. Each row comes from an official document; `served` states whether Canticle
 * answers it.
 */
import type { Api } from './api.js';
import { apiIn } from './apis.js';
import { SERVED, type ServedIds } from './served.js';
import type { OperationFacts, Schemas } from './schema.js';
import { cantonIn, previewsIn, releaseIn, spliceIn, type Spoken } from './splice/spoken.js';
import { spliceReleaseOf, type ApiVersion } from './versions.js';
import type { Operations as ControlOperations } from './generated/control.js';
import type { Operations as LedgerOperations } from './generated/ledger.js';
import type { Operations as NamesOperations } from './generated/names.js';
import type { Operations as RegistryOperations } from './generated/registry.js';
import type { Operations as ScanOperations } from './generated/scan.js';
import type { Operations as SvOperations } from './generated/sv.js';
import type { Operations as ValidatorOperations } from './generated/validator.js';
import type { Operations as WalletOperations } from './generated/wallet.js';

export interface Operation extends OperationFacts {
  api: Api;
  served: boolean;
  /** The schemas that the row's references resolve to: the messages of its release. */
  schemas: Schemas;
}

/** The input and output types of each API's operations, by operation id. */
export interface OperationTypes {
  ledger: LedgerOperations;
  scan: ScanOperations;
  registry: RegistryOperations;
  validator: ValidatorOperations;
  wallet: WalletOperations;
  names: NamesOperations;
  sv: SvOperations;
  control: ControlOperations;
}

type Part<A extends Api, Id, Name extends string> = Id extends keyof OperationTypes[A]
  ? OperationTypes[A][Id] extends Record<Name, infer T>
    ? T
    : never
  : never;

/** The input of a handler: decoded path and query parameters with their defaults, and the body as its message. */
export interface Input<A extends Api, Id extends ServedIds<A>> {
  path: Part<A, Id, 'path'>;
  query: Part<A, Id, 'query'>;
  body: Part<A, Id, 'body'>;
}

export type Result<A extends Api, Id extends ServedIds<A>> = Part<A, Id, 'result'>;

const TABLES = new Map<string, readonly Operation[]>();

/** Every row of an API in a release, served or not. */
export function operationsOf(api: Api, spoken?: Spoken): readonly Operation[] {
  const key = [api, releaseIn(api, spoken), ...previewsIn(api, spoken)].join(' ');
  let table = TABLES.get(key);
  if (table === undefined) TABLES.set(key, (table = tableOf(api, spoken)));
  return table;
}

function tableOf(api: Api, spoken: Spoken | undefined): readonly Operation[] {
  const served = new Set<string>(SERVED[api]);
  for (const id of Object.keys(goneFrom(api, spoken))) served.delete(id);
  const { operations, schemas } = apiIn(api, spoken);
  return operations.map((row) => ({ ...row, api, served: served.has(row.operationId), schemas }));
}

/** The rows of an API that are served. */
export function servedOperations(api: Api, spoken?: Spoken): readonly Operation[] {
  return operationsOf(api, spoken).filter((row) => row.served);
}

const NEVER = 'Splice does not route it.';

/**
 * Operations that official documents list, but that the real systems do not route, with the reasons. Canticle answers,
 * as the real systems do, that the paths do not exist. Its documents list them, as the official ones do.
 */
const UNROUTED: Readonly<Partial<Record<Api, Readonly<Record<string, string>>>>> = {
  scan: { getSynchronizerBootstrappingTransactions: NEVER },
  sv: { reconcileSynchronizerDamlState: NEVER, signDsoPartyToParticipant: NEVER },
};

/** Operations that the newest known document of a release lists, although the release no longer has them. */
const GONE: Readonly<Partial<Record<ApiVersion, Readonly<Record<string, string>>>>> = {
  '3.7': {
    'getV2StateActive-contracts-page': '3.7.1 no longer has it (R-36-021).',
  },
};

/** The same of Splice, from its release notes. */
function goneFrom(api: Api, spoken?: Spoken): Readonly<Record<string, string>> {
  if (api === 'control') return {};
  if (api === 'ledger') return GONE[cantonIn(spoken)] ?? {};
  return spliceReleaseOf(spliceIn(api, spoken)).removed?.[api] ?? {};
}

/** Why a real system of the release does not route an operation of its document; undefined if it does. */
export const whyUnrouted = (api: Api, operationId: string, spoken?: Spoken): string | undefined =>
  UNROUTED[api]?.[operationId] ?? goneFrom(api, spoken)[operationId];

/** The operations in an API's document: those that are served, and those that only the real system's document lists. */
export function documentedOperations(api: Api, spoken?: Spoken): readonly Operation[] {
  return operationsOf(api, spoken).filter(
    ({ served, unlisted, operationId }) =>
      !unlisted && (served || whyUnrouted(api, operationId, spoken) !== undefined),
  );
}

/** The served operations of the APIs of real systems: those of Splice in any of its releases. */
export function operationIds(version?: ApiVersion): ReadonlySet<string> {
  const { ledger: _, control: __, ...others } = SERVED;
  const ofLedger = servedOperations('ledger', version).map(({ operationId }) => operationId);
  return new Set([...ofLedger, ...Object.values(others).flat()]);
}

/** The row of an operation. Throws for an unknown id, because ids are written in code. */
export function operation(api: Api, operationId: string, spoken?: Spoken): Operation {
  const row = operationsOf(api, spoken).find((candidate) => candidate.operationId === operationId);
  if (row === undefined)
    throw new Error(`Failed to find the operation ${operationId}: ${api} has none of that name.`);
  return row;
}
