/** The identity provider service: whose tokens the participant takes. */
import type {
  IdentityProviderConfig as RequestedConfig,
  UpdateIdentityProviderConfigRequest,
} from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import { requirePresence } from '../formats/requests.js';
import { refusedByJsonLayer } from '../../../daml/codec/json/json-layer.js';

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

  'patchV2IdpsIdp-id': ({ participant }, { path, body }) => {
    const { identityProviderConfig: requested, updateMask } =
      body as Partial<UpdateIdentityProviderConfigRequest>;
    if (requested?.identityProviderId !== path['idp-id'])
      throw refusedByJsonLayer(
        `${path['idp-id']} does not match idp in body: ${printed(requested)}`,
      );
    const paths = updateMask && (updateMask.paths ?? []);
    return { identityProviderConfig: participant.identityProviders.update(requested, paths) };
  },

  'deleteV2IdpsIdp-id': ({ participant }, { path }) => {
    participant.identityProviders.delete(path['idp-id']);
    return {};
  },
} satisfies SomeHandlers<'ledger'>;

/** As the JSON layer prints the message in its refusal. */
function printed(requested: RequestedConfig | undefined): string {
  if (requested === undefined) return 'None';
  const { identityProviderId, isDeactivated = false, issuer, jwksUrl, audience = '' } = requested;
  return `Some(IdentityProviderConfig(${[identityProviderId, isDeactivated, issuer, jwksUrl, audience].join(',')}))`;
}
