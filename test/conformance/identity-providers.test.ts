/** Conformance: configurations of identity providers. */
import { useLedgerApi } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi();
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
  expect(await post(given)).toMatchObject({
    status: 200,
    body: { identityProviderConfig: given },
  });
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
const refused = (code: string) => ({ body: { code } });

const NO_EMPTY_ID = 'a path without an id is another operation';

conformanceSuite('IdentityProviderConfigServiceIT', {}, (reproduce) => {
  reproduce('CreateConfigInvalidArguments', 'MISSING_FIELD or INVALID_FIELD', async () => {
    for (const [more, code] of [
      [{ identityProviderId: '' }, 'MISSING_FIELD'],
      [{ identityProviderId: '!@' }, 'INVALID_FIELD'],
      [{ issuer: '' }, 'MISSING_FIELD'],
      [{ jwksUrl: '' }, 'MISSING_FIELD'],
      [{ jwksUrl: 'url.com' }, 'INVALID_FIELD'],
    ] as const)
      expect(await post(config(more))).toMatchObject({ status: 400, ...refused(code) });
    expect(await call('POST', '/v2/idps', {})).toMatchObject({
      status: 400,
      ...refused('MISSING_FIELD'),
    });
  });

  reproduce(
    ['GetConfigInvalidArguments', 'DeleteConfigInvalidArguments'],
    `INVALID_FIELD for an id that is none (${NO_EMPTY_ID})`,
    async (caseId) => {
      const method = caseId.startsWith('Get') ? 'GET' : 'DELETE';
      expect(await call(method, pathOf('!@'))).toMatchObject({
        status: 400,
        ...refused('INVALID_FIELD'),
      });
    },
  );

  reproduce('UpdateConfigInvalidArguments', 'of id, url and mask', async () => {
    const given = await created();
    const mask = masked('is_deactivated');
    expect(await patch(given, mask, '!@')).toMatchObject(refused('INVALID_FIELD'));
    expect(await patch({ ...given, jwksUrl: 'url.com' }, mask)).toMatchObject(
      refused('INVALID_FIELD'),
    );
    expect(await patch(given, undefined)).toMatchObject(refused('MISSING_FIELD'));
    expect(await patch(given, masked())).toMatchObject(
      refused('INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'),
    );
  });

  reproduce('CreateConfigSuccess', 'told back; neither id nor issuer twice', async () => {
    const given = await created();
    expect((await created({ isDeactivated: true })).isDeactivated).toBe(true);
    expect(await post(config({ identityProviderId: given.identityProviderId }))).toMatchObject(
      refused('IDP_CONFIG_ALREADY_EXISTS'),
    );
    expect(await post(config({ issuer: given.issuer }))).toMatchObject(
      refused('IDP_CONFIG_ISSUER_ALREADY_EXISTS'),
    );
  });

  reproduce('UpdateConfigSuccess', 'each member that can be; no issuer twice', async () => {
    const [first, second, third] = [await created(), await created(), await created()];
    for (const [path, change] of [
      ['is_deactivated', { isDeactivated: true }],
      ['jwks_url', { jwksUrl: 'http://daml.com/jwks2.json' }],
      ['issuer', { issuer: 'another issuer' }],
    ] as const)
      expect(await patch({ ...first, ...change }, masked(path))).toMatchObject({
        status: 200,
        body: { identityProviderConfig: change },
      });
    expect(await patch({ ...third, issuer: second.issuer }, masked('issuer'))).toMatchObject(
      refused('IDP_CONFIG_ISSUER_ALREADY_EXISTS'),
    );
  });

  reproduce('GetConfigSuccess', 'IDP_CONFIG_NOT_FOUND for one that is not there', async () => {
    const given = await created();
    const { body } = await call('GET', pathOf(given.identityProviderId));
    expect(body.identityProviderConfig).toEqual(given);
    expect(await call('GET', pathOf(unique('nobody')))).toMatchObject({
      status: 404,
      ...refused('IDP_CONFIG_NOT_FOUND'),
    });
  });

  reproduce('ListConfig', 'both that were created', async () => {
    const both = [await created(), await created()];
    const { body } = await call('GET', '/v2/idps');
    expect(body.identityProviderConfigs).toEqual(expect.arrayContaining(both));
  });

  reproduce('DeleteConfigSuccess', 'IDP_CONFIG_NOT_FOUND the second time', async () => {
    const { identityProviderId } = await created();
    expect(await call('DELETE', pathOf(identityProviderId))).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await call('DELETE', pathOf(identityProviderId))).toMatchObject({
      status: 404,
      ...refused('IDP_CONFIG_NOT_FOUND'),
    });
  });
});
