/** Conformance: configurations of identity providers. */
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({ grpc: true });
const call = (method: string, path: string, body?: unknown) =>
  api.client.ledger(method, path, body);

let made = 0;
const unique = (what: string) => `${what}-${++made}`;
const config = (more: object = {}) => ({
  identityProviderId: unique('idp'),
  isDeactivated: false,
  issuer: unique('issuer'),
  jwksUrl: 'http://daml.com/jwks.json',
  audience: '',
  ...more,
});
type Config = ReturnType<typeof config>;

const post = (identityProviderConfig: unknown) =>
  call('POST', '/v2/idps', { identityProviderConfig });
async function created(more: object = {}): Promise<Config> {
  const given = config(more);
  const { status, body } = await post(given);
  expect({ status, body }).toEqual({ status: 200, body: { identityProviderConfig: given } });
  return given;
}
const pathOf = (id: string) => `/v2/idps/${encodeURIComponent(id)}`;
const patch = (
  { identityProviderId, ...rest }: Config,
  updateMask: unknown,
  id = identityProviderId,
) =>
  call('PATCH', pathOf(id), {
    identityProviderConfig: { identityProviderId: id, ...rest },
    updateMask,
  });
const masked = (...paths: string[]) => ({ paths, unknownFields: { fields: {} } });

conformanceSuite('IdentityProviderConfigServiceIT', {}, (reproduce, _, overJson) => {
  reproduce('CreateConfigInvalidArguments', 'MISSING_FIELD or INVALID_FIELD', async () => {
    for (const [more, code] of [
      [{ identityProviderId: '' }, 'MISSING_FIELD'],
      [{ identityProviderId: '!@' }, 'INVALID_FIELD'],
      [{ issuer: '' }, 'MISSING_FIELD'],
      [{ jwksUrl: '' }, 'MISSING_FIELD'],
      [{ jwksUrl: 'url.com' }, 'INVALID_FIELD'],
    ] as const)
      await expectRefused(post(config(more)), code);
    await expectRefused(call('POST', '/v2/idps', {}), 'MISSING_FIELD');
  });

  // A path without an id is that of the list, and of what can be done with it.

  overJson(
    'GetConfigInvalidArguments',
    'rejects an invalid id with INVALID_FIELD, and an empty id reads the list',
    async () => {
      const given = await created();
      await expectRefused(call('GET', pathOf('!@')), 'INVALID_FIELD');
      expect((await call('GET', pathOf(''))).body).toEqual({ identityProviderConfigs: [given] });
    },
  );
  overJson(
    'DeleteConfigInvalidArguments',
    'rejects an invalid id with INVALID_FIELD, and an empty id with status 405',
    async () => {
      await expectRefused(call('DELETE', pathOf('!@')), 'INVALID_FIELD');
      expect((await call('DELETE', pathOf(''))).status).toBe(405);
    },
  );

  overJson('UpdateConfigInvalidArguments', 'rejects an invalid id, URL or mask', async () => {
    const given = await created();
    const mask = masked('is_deactivated');
    await expectRefused(patch(given, mask, '!@'), 'INVALID_FIELD');
    await expectRefused(patch({ ...given, jwksUrl: 'url.com' }, mask), 'INVALID_FIELD');
    await expectRefused(patch(given, undefined), 'MISSING_FIELD');
    await expectRefused(patch(given, masked()), 'INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST');
    expect((await patch(given, mask, '')).status).toBe(405);
    const { identityProviderId: id } = given;
    await expectRefused(call('PATCH', pathOf(id), {}), 'INVALID_ARGUMENT', {
      cause: `${id} does not match idp in body: None`,
    });
    expect((await call('GET', pathOf(id))).body).toEqual({ identityProviderConfig: given });
  });

  reproduce(
    'CreateConfigSuccess',
    'returns the new config, and rejects an id or issuer that exists',
    async () => {
      const given = await created();
      expect((await created({ isDeactivated: true })).isDeactivated).toBe(true);
      const { identityProviderId, issuer } = given;
      await expectRefused(post(config({ identityProviderId })), 'IDP_CONFIG_ALREADY_EXISTS');
      await expectRefused(post(config({ issuer })), 'IDP_CONFIG_ISSUER_ALREADY_EXISTS');
    },
  );

  reproduce(
    'UpdateConfigSuccess',
    'updates each field that may change, and rejects an issuer that exists',
    async () => {
      const [first, second, third] = [await created(), await created(), await created()];
      let now = first;
      for (const [path, change] of [
        ['is_deactivated', { isDeactivated: true }],
        ['jwks_url', { jwksUrl: 'http://daml.com/jwks2.json' }],
        ['issuer', { issuer: 'another issuer' }],
      ] as const) {
        // The request tells the rest as it was at first: it is not in the mask.
        const { status, body } = await patch({ ...first, ...change }, masked(path));
        now = { ...now, ...change };
        expect({ status, body }).toEqual({ status: 200, body: { identityProviderConfig: now } });
      }
      const { issuer } = second;
      await expectRefused(
        patch({ ...third, issuer }, masked('issuer')),
        'IDP_CONFIG_ISSUER_ALREADY_EXISTS',
      );
    },
  );

  reproduce(
    'GetConfigSuccess',
    'returns the config, and IDP_CONFIG_NOT_FOUND for an unknown id',
    async () => {
      const given = await created();
      const { body } = await call('GET', pathOf(given.identityProviderId));
      expect(body.identityProviderConfig).toEqual(given);
      await expectRefused(call('GET', pathOf(unique('nobody'))), 'IDP_CONFIG_NOT_FOUND');
    },
  );

  reproduce('ListConfig', 'lists both created configs', async () => {
    const both = [await created(), await created()];
    const { body } = await call('GET', '/v2/idps');
    expect(body).toEqual({ identityProviderConfigs: both });
  });

  reproduce(
    'DeleteConfigSuccess',
    'deletes the config, and returns IDP_CONFIG_NOT_FOUND the second time',
    async () => {
      const { identityProviderId } = await created();
      const { status, body } = await call('DELETE', pathOf(identityProviderId));
      expect({ status, body }).toEqual({ status: 200, body: {} });
      await expectRefused(call('DELETE', pathOf(identityProviderId)), 'IDP_CONFIG_NOT_FOUND');
    },
  );
});
