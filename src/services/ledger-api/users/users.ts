/** The user management service: users, their rights, and the user of the token. */
import {
  callContext,
  logged,
  QUOTED,
  type LoggingContext,
} from '../../../daml/errors/logging-context.js';
import type { RequestedRight, UserRight } from '../../../network/administration/user-rights.js';
import type { Kind, Right } from '../../../spec/generated/ledger.js';
import { unnamedUser } from '../../authorization/authorize.js';
import type { LedgerContext, SomeHandlers } from '../../handler.js';
import { callerOf, impliedIdentityProvider, requirePresence } from '../formats/requests.js';

export const users = {
  getV2Users: logged(QUOTED, (context, { query }) => {
    const identityProviderId = impliedIdentityProvider(context, query);
    const { items, nextPageToken } = context.participant.users.list({
      ...query,
      identityProviderId,
    });
    return { users: [...items], nextPageToken };
  }),

  postV2Users: logged(ofChange, (context, { body }) => {
    const rights = (body.rights ?? []).map(readRight);
    return {
      user: context.participant.users.create(
        requirePresence(body.user, 'user'),
        rights,
        callerOf(context),
      ),
    };
  }),

  'getV2UsersUser-id': logged(QUOTED, ({ participant }, { path, query }) => ({
    user: participant.users.get(userIdIn(path), query['identity-provider-id']),
  })),

  'patchV2UsersUser-id': logged(ofChange, (context, { body }) => {
    return {
      user: context.participant.users.update(
        body.user,
        body.updateMask && (body.updateMask.paths ?? []),
        callerOf(context),
      ),
    };
  }),

  'deleteV2UsersUser-id': logged(ofChange, (context, { path, query }) => {
    context.participant.users.delete(
      userIdIn(path),
      impliedIdentityProvider(context, query),
      callerOf(context),
    );
    return {};
  }),

  'getV2Authenticated-user': logged(QUOTED, ({ participant, userId, claims }, { query }) => {
    // Without authorization, a token does not change the result, as on a real participant, which does not read it then.
    if (userId === '' || (claims === undefined && !participant.users.has(userId)))
      throw unnamedUser();
    return { user: participant.users.get(userId, query['identity-provider-id']) };
  }),

  'getV2UsersUser-idRights': logged(QUOTED, (context, { path, query }) => ({
    rights: context.participant.users
      .rights(userIdIn(path), impliedIdentityProvider(context, query))
      .map(renderRight),
  })),

  'postV2UsersUser-idRights': logged(ofChange, (context, { body }) => {
    const rights = (body.rights ?? []).map(readRight);
    const granted = context.participant.users.grant(
      body.userId,
      rights,
      body.identityProviderId,
      callerOf(context),
    );
    return { newlyGrantedRights: granted.map(renderRight) };
  }),

  'patchV2UsersUser-idRights': logged(ofChange, (context, { body }) => {
    const rights = (body.rights ?? []).map(readRight);
    const revoked = context.participant.users.revoke(
      body.userId,
      rights,
      body.identityProviderId,
      callerOf(context),
    );
    return { newlyRevokedRights: revoked.map(renderRight) };
  }),

  'patchV2UsersUser-idIdentity-provider-id': logged(QUOTED, ({ participant }, { body }) => {
    participant.users.moveToIdentityProvider(
      body.userId,
      body.sourceIdentityProviderId,
      body.targetIdentityProviderId,
    );
    return {};
  }),
} satisfies SomeHandlers<'ledger'>;

/** The entry of the logging context for a change of users: a new id (B-ERR-032). */
function ofChange({ network }: LedgerContext): LoggingContext {
  const number = network.requestNumbers.ofRefusal();
  return callContext(() => ({ submissionId: network.random.uuidAt('user change', number) }));
}

/** JSON requires it. If another transport omits it, the default is the user of the token. */
function userIdIn(path: { 'user-id': string }): string {
  if (path['user-id'] === '') throw unnamedUser();
  return path['user-id'];
}

function readRight({ kind }: Right): RequestedRight {
  if (kind === undefined || 'Empty' in kind) return { kind: 'Empty' };
  if ('CanActAs' in kind) return { kind: 'CanActAs', party: kind.CanActAs.value.party };
  if ('CanReadAs' in kind) return { kind: 'CanReadAs', party: kind.CanReadAs.value.party };
  if ('CanExecuteAs' in kind) return { kind: 'CanExecuteAs', party: kind.CanExecuteAs.value.party };
  if ('CanActAsAnyParty' in kind) return { kind: 'CanActAsAnyParty' };
  if ('CanReadAsAnyParty' in kind) return { kind: 'CanReadAsAnyParty' };
  if ('CanExecuteAsAnyParty' in kind) return { kind: 'CanExecuteAsAnyParty' };
  return 'ParticipantAdmin' in kind
    ? { kind: 'ParticipantAdmin' }
    : { kind: 'IdentityProviderAdmin' };
}

function renderRight(right: UserRight): Right {
  const value = 'party' in right ? { party: right.party } : {};
  return { kind: { [right.kind]: { value } } as unknown as Kind };
}
