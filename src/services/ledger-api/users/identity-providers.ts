/** The identity provider service, which manages the issuers of accepted tokens. */
import type { SomeHandlers } from '../../handler.js';
import { requirePresence } from '../formats/requests.js';

export const identityProviders = {
  getV2Idps: ({ participant }) => ({
    identityProviderConfigs: [...participant.identityProviders.list()],
  }),

  postV2Idps: ({ participant }, { body }) => {
    const requested = requirePresence(body.identityProviderConfig, 'identity_provider_config');
    return { identityProviderConfig: participant.identityProviders.create(requested) };
  },

  'getV2IdpsIdp-id': ({ participant }, { path }) => ({
    identityProviderConfig: participant.identityProviders.get(path['idp-id']),
  }),

  'patchV2IdpsIdp-id': ({ participant }, { body }) => {
    const { identityProviderConfig: requested, updateMask } = body;
    const paths = updateMask && (updateMask.paths ?? []);
    return { identityProviderConfig: participant.identityProviders.update(requested, paths) };
  },

  'deleteV2IdpsIdp-id': ({ participant }, { path }) => {
    const { users, parties, identityProviders: providers } = participant;
    providers.delete(path['idp-id'], (table, id) =>
      (table === 'users' ? users : parties).hasAnyOf(id),
    );
    return {};
  },
} satisfies SomeHandlers<'ledger'>;
