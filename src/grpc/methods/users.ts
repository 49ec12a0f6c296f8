/** The services for users and identity providers: the operation of each method. */
import { missingField, requireField, userIdError } from '../../daml/model/identifiers.js';
import { idpAdmin, place } from '../../services/authorization/requirements.js';
import type {
  FieldMask,
  IdentityProviderConfig,
  Right,
  UpdateIdentityProviderConfigRequest,
  UpdateUserRequest,
  User,
} from '../../spec/generated/ledger.js';
import { either, requires, unary, type Service } from './method.js';

const IDP = 'identity-provider-id';

interface OfUser {
  readonly userId: string;
  readonly identityProviderId: string;
}

interface ListUsersRequest {
  readonly pageToken: string;
  readonly pageSize: number;
  readonly identityProviderId: string;
}

interface Masked {
  readonly updateMask: FieldMask;
}

type RightsRequest = OfUser & { readonly rights: Right[] };

interface MoveRequest {
  readonly userId: string;
  readonly sourceIdentityProviderId: string;
  readonly targetIdentityProviderId: string;
}

function checkUser({ userId }: { readonly userId: string }): void {
  if (userId === '') throw missingField('user_id');
  requireField(userIdError, userId, 'user_id');
}

const toUser = ({ userId, identityProviderId }: OfUser) => ({
  path: { 'user-id': userId },
  query: { [IDP]: identityProviderId },
});

const ofIdentityProvider = ({ query }: { query: object }) => idpAdmin(place(query, IDP));

const toRights = (body: RightsRequest) => ({
  path: { 'user-id': body.userId },
  body,
});

const toIdp = ({ identityProviderId }: { readonly identityProviderId: string }) => ({
  path: { 'idp-id': identityProviderId },
});

/** The user of the token, by default. */
const isOwn = ({ userId }: OfUser): boolean => userId === '';

export const USER_SERVICES: Readonly<Record<string, Service>> = {
  'admin.UserManagementService': {
    CreateUser: unary('postV2Users'),
    GetUser: either(
      isOwn,
      unary('getV2Authenticated-user', {
        input: ({ identityProviderId }: OfUser) => ({ query: { [IDP]: identityProviderId } }),
      }),
      unary('getV2UsersUser-id', { input: toUser, check: checkUser }),
    ),
    UpdateUser: unary('patchV2UsersUser-id', {
      input: (body: Masked & { readonly user?: User }) => ({
        path: { 'user-id': body.user?.id ?? '' },
        body: body as UpdateUserRequest,
      }),
      check: requires('user'),
    }),
    DeleteUser: unary('deleteV2UsersUser-id', {
      input: toUser,
      check: checkUser,
      requires: ofIdentityProvider,
    }),
    ListUsers: unary('getV2Users', {
      input: ({ identityProviderId, ...page }: ListUsersRequest) => ({
        query: { ...page, [IDP]: identityProviderId },
      }),
      requires: ofIdentityProvider,
    }),
    GrantUserRights: unary('postV2UsersUser-idRights', { input: toRights, check: checkUser }),
    RevokeUserRights: unary('patchV2UsersUser-idRights', { input: toRights, check: checkUser }),
    ListUserRights: either(
      isOwn,
      unary('getV2UsersUser-idRights', {
        input: ({ identityProviderId }: OfUser) => ({
          path: { 'user-id': '' },
          query: { [IDP]: identityProviderId },
        }),
      }),
      unary('getV2UsersUser-idRights', { input: toUser, check: checkUser }),
    ),
    UpdateUserIdentityProviderId: unary('patchV2UsersUser-idIdentity-provider-id', {
      input: (body: MoveRequest) => ({ path: { 'user-id': body.userId }, body }),
      check: checkUser,
    }),
  },
  'admin.IdentityProviderConfigService': {
    CreateIdentityProviderConfig: unary('postV2Idps'),
    GetIdentityProviderConfig: unary('getV2IdpsIdp-id', { input: toIdp }),
    ListIdentityProviderConfigs: unary('getV2Idps'),
    UpdateIdentityProviderConfig: unary('patchV2IdpsIdp-id', {
      input: (body: Masked & { readonly identityProviderConfig?: IdentityProviderConfig }) => ({
        path: { 'idp-id': body.identityProviderConfig?.identityProviderId ?? '' },
        body: body as UpdateIdentityProviderConfigRequest,
      }),
      check: requires('identity_provider_config'),
    }),
    DeleteIdentityProviderConfig: unary('deleteV2IdpsIdp-id', { input: toIdp }),
  },
};
