/**
 * The checks of a participant's JSON layer before it calls the ledger: one row for each operation with checks. They
 * apply to all callers, because the ledger checks rights only later (B-AUTH-030). gRPC has no such layer.
 */
import { refusedByJsonLayer } from '../../daml/codec/json/json-layer.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { userIdError } from '../../daml/model/identifiers.js';
import type {
  IdentityProviderConfig,
  JsExecuteSubmissionRequest,
  PartyDetails,
} from '../../spec/generated/ledger.js';
import type { DecodedInput } from '../../spec/decode.js';
import type { Input, Operation } from '../../spec/operations.js';
import {
  LEGACY_MEMBERS,
  upcomingChange,
  type LegacyPath,
} from '../../spec/releases/upcoming-changes.js';
import type { ServedIds } from '../../spec/served.js';
import type { LedgerContext } from '../handler.js';
import { hasRemoved, requireEnabled } from './disabled-apis.js';
import { translateCommands } from './commands/translate.js';
import {
  currentContracts,
  currentUpdates,
  treeFormatOf,
  updateFormatOf,
  type RequireLegacy,
} from './formats/formats.js';
import { inJsonLayer } from './formats/requests.js';
import { decodePrepared } from './interactive/interactive-submission.js';
import { flatFormat } from './legacy/legacy-updates.js';

/** May write its result into the context, or replace the body with it. @throws LedgerError */
type Row<Id extends ServedIds<'ledger'>> = (
  context: LedgerContext,
  input: Input<'ledger', Id>,
) => void;

const JSON_LAYER: { readonly [Id in ServedIds<'ledger'>]?: Row<Id> } = {
  'postV2CommandsSubmit-and-wait': (context, { body }) => translateCommands(context, body),
  'postV2CommandsSubmit-and-wait-for-transaction': (context, { body }) =>
    translateCommands(context, body.commands),
  'postV2CommandsSubmit-and-wait-for-transaction-tree': (context, { body }) =>
    translateCommands(context, body),
  postV2CommandsAsyncSubmit: (context, { body }) => translateCommands(context, body),

  'postV2Interactive-submissionPrepare': (context, { body }) => translateCommands(context, body),
  'postV2Interactive-submissionExecute': translateExecution,
  'postV2Interactive-submissionExecuteandwait': translateExecution,
  'postV2Interactive-submissionExecuteandwaitfortransaction': translateExecution,

  postV2Updates: (context, input) => {
    if (hasRemoved(context, 'parameters-34')) return;
    input.body = currentUpdates(input.body, updateFormatOf, legacyAt(context, '/v2/updates'));
  },
  postV2UpdatesFlats: (_, input) => void (input.body = currentUpdates(input.body)),
  postV2UpdatesTrees: (_, input) => void (input.body = currentUpdates(input.body, treeFormatOf)),
  'postV2UpdatesTransaction-by-id': (_, { body }) => requireEither(body),
  'postV2UpdatesTransaction-by-offset': (_, { body }) => requireEither(body),
  'postV2StateActive-contracts': (context, input) => {
    if (hasRemoved(context, 'parameters-34')) return;
    input.body = currentContracts(input.body, legacyAt(context, '/v2/state/active-contracts'));
  },

  'getV2UsersUser-id': requireUserId,
  'deleteV2UsersUser-id': requireUserId,
  'getV2UsersUser-idRights': requireUserId,
  'patchV2UsersUser-id': (_, { path, body }) => requireSameUser(path, body.user?.id),
  'postV2UsersUser-idRights': (_, { path, body }) => requireSameUser(path, body.userId),
  'patchV2UsersUser-idRights': (_, { path, body }) => requireSameUser(path, body.userId),
  'patchV2UsersUser-idIdentity-provider-id': (_, { path, body }) =>
    requireSameUser(path, body.userId),

  'patchV2IdpsIdp-id': (_, { path, body }) => {
    const config = body.identityProviderConfig as IdentityProviderConfig | undefined;
    requireSame(
      path['idp-id'],
      config?.identityProviderId,
      () => `idp in body: ${configText(config)}`,
    );
  },
  patchV2PartiesParty: (_, { path, body }) => {
    const details = body.partyDetails as PartyDetails | undefined;
    requireSame(path.party, details?.party, () => `party in body ${detailsText(details)}`);
  },
};

/** Whether requests at a path may still have `filter` and `verbose` (B-DEP-004). */
const legacyAt =
  (context: LedgerContext, path: LegacyPath): RequireLegacy =>
  () => {
    const api = `The fields filter/verbose of the ${path} requests`;
    const members = LEGACY_MEMBERS[path];
    const upcoming = upcomingChange(context.apiVersion, members, `filter/verbose of ${path}`);
    if (upcoming !== undefined) context.noteUpcoming?.(upcoming);
    requireEnabled(context, members.group, api);
  };

/** Runs before the check of the caller's rights. @throws LedgerError for a request that the JSON layer rejects */
export function enterJsonLayer(
  { api, operationId }: Operation,
  context: LedgerContext,
  input: DecodedInput,
): void {
  if (api !== 'ledger') return;
  const row = JSON_LAYER[operationId as ServedIds<'ledger'>] as
    | ((context: LedgerContext, input: DecodedInput) => void)
    | undefined;
  row?.(context, input);
}

/** B-INT-024. */
function translateExecution(
  context: LedgerContext,
  { body }: { readonly body: JsExecuteSubmissionRequest },
): void {
  try {
    context.prepared = decodePrepared(body.preparedTransaction);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw refusedByJsonLayer('Cannot parse prepared_transaction');
    throw error;
  }
}

type LegacyLookup = Pick<
  Input<'ledger', 'postV2UpdatesTransaction-by-id'>['body'],
  'requestingParties' | 'transactionFormat'
>;

function requireEither({ requestingParties, transactionFormat }: LegacyLookup): void {
  inJsonLayer(() => flatFormat(requestingParties, transactionFormat));
}

interface UserPath {
  readonly 'user-id': string;
}

function requireUserId(_: LedgerContext, { path }: { readonly path: UserPath }): void {
  const error = userIdError(path['user-id']);
  if (error !== undefined) throw refusedByJsonLayer(`Malformed user-id: ${error}`);
}

/** B-USR-013, B-USR-025. */
function requireSameUser(path: UserPath, inBody: string | undefined): void {
  const printed = inBody === undefined ? 'None' : `Some(${inBody})`;
  requireSame(path['user-id'], inBody, () => `user in body: ${printed} `);
}

function requireSame(inPath: string, inBody: string | undefined, other: () => string): void {
  if (inPath !== inBody) throw refusedByJsonLayer(`${inPath} does not match ${other()}`);
}

/** In the format of the JSON layer's error. */
function configText(config: IdentityProviderConfig | undefined): string {
  if (config === undefined) return 'None';
  const { identityProviderId, isDeactivated = false, issuer, jwksUrl, audience = '' } = config;
  return `Some(IdentityProviderConfig(${[identityProviderId, isDeactivated, issuer, jwksUrl, audience].join(',')}))`;
}

/** Like {@link configText}, for a party. */
function detailsText(details: PartyDetails | undefined): string {
  if (details === undefined) return 'None';
  const { party, isLocal = false, localMetadata, identityProviderId = '' } = details;
  const annotations = Object.entries(localMetadata?.annotations ?? {}).map(
    ([key, value]) => `${key} -> ${value}`,
  );
  const metadata = localMetadata
    ? `Some(ObjectMeta(${localMetadata.resourceVersion ?? ''},Map(${annotations.join(', ')})))`
    : 'None';
  return `Some(PartyDetails(${party},${isLocal},${metadata},${identityProviderId}))`;
}
