/** The identity provider service: whose tokens the participant takes. */
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
    participant.identityProviders.delete(path['idp-id']);
    return {};
  },
} satisfies SomeHandlers<'ledger'>;
