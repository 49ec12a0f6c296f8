/** Conformance: what can be changed of a user. */
import type { JsonAnswer } from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';
import { described, unversioned } from '../support/users.js';

const api = useLedgerApi({ grpc: true });

const call = (method: string, path: string, body?: unknown) =>
  api.client.ledger(method, `/v2/users${path}`, body);
const ok = async (method: string, path: string, body?: unknown): Promise<JsonAnswer> => {
  const answer = await call(method, path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

conformanceSuite('UserManagementServiceUpdateRpcIT', {}, (reproduce, _, overJson) => {
  const update = (id: string, changes: object, ...paths: string[]) =>
    call('PATCH', `/${encodeURIComponent(id)}`, {
      user: { id, ...changes },
      updateMask: { paths, unknownFields: { fields: {} } },
    });
  /** A new user after an update. */
  async function updated(before: object, changes: object, ...paths: string[]): Promise<JsonAnswer> {
    await ok('POST', '', { user: { id: 'ann', ...before }, rights: [] });
    const { status, body } = await update('ann', changes, ...paths);
    expect(status).toBe(200);
    expect(await ok('GET', '/ann')).toEqual(body);
    return unversioned(body.user);
  }

  reproduce('UpdateAllUpdatableFields', 'updates several fields at once', async () => {
    const user = await updated(
      {
        primaryParty: 'primaryParty0',
        isDeactivated: true,
        metadata: { resourceVersion: '', annotations: { k1: 'v1', k2: 'v2', k3: 'v3' } },
      },
      {
        primaryParty: 'primaryParty1',
        isDeactivated: false,
        metadata: { resourceVersion: '', annotations: { k1: 'v1a', k3: '', k4: 'v4', k5: '' } },
      },
      'is_deactivated',
      'primary_party',
      'metadata',
    );
    const metadata = { annotations: { k1: 'v1a', k2: 'v2', k4: 'v4' } };
    expect(user).toEqual(described('ann', { primaryParty: 'primaryParty1', metadata }));
  });

  reproduce(
    'UpdateUserEvenIfMetadataIsNotSetInUpdateRequest',
    'accepts an update without metadata',
    async () => {
      const changes = { primaryParty: 'nextPrimaryParty' };
      expect(await updated({}, changes, 'primary_party')).toEqual(described('ann', changes));
    },
  );

  overJson('InvalidUpdateRequestsUserFieldIsUnset', 'rejects a body without a user', async () => {
    await ok('POST', '', { user: { id: 'ann' }, rights: [] });
    const updateMask = { paths: ['metadata'], unknownFields: { fields: {} } };
    // JSON compares the user of the path with that of the body, before a participant would miss it.
    await expectRefused(call('PATCH', '/ann', { updateMask }), 'INVALID_ARGUMENT', {
      cause: 'ann does not match user in body: None',
    });
  });

  reproduce('FailUpdateNonExistentUser', 'USER_NOT_FOUND', async () => {
    const changes = { metadata: { resourceVersion: '', annotations: { k1: 'v1' } } };
    await expectRefused(update('nobody', changes, 'metadata.annotations'), 'USER_NOT_FOUND');
  });

  reproduce('InvalidUpdateRequestsInvalidUserIdSyntax', 'INVALID_FIELD', async () => {
    const changes = { metadata: { resourceVersion: '', annotations: { k2: 'v2' } } };
    await expectRefused(update('%%!!!', changes), 'INVALID_FIELD');
  });

  reproduce(
    ['UpdatePrimaryPartyUsingNonEmptyValue', 'UpdatePrimaryPartyUsingEmptyValue'],
    'sets or clears the primary party',
    async (caseId) => {
      const primaryParty = caseId.includes('NonEmpty') ? 'primaryParty1' : '';
      const before = { primaryParty: 'primaryParty0' };
      const user = await updated(before, { primaryParty }, 'primary_party');
      expect(user).toEqual(described('ann', { primaryParty }));
    },
  );

  reproduce(
    ['UpdateIsDeactivatedUsingNonDefaultValue', 'UpdateIsDeactivatedUsingTheDefaultValue'],
    'sets the flag, or resets it',
    async (caseId) => {
      const isDeactivated = caseId.includes('NonDefault');
      const before = { isDeactivated: !isDeactivated };
      const user = await updated(before, { isDeactivated }, 'is_deactivated');
      expect(user).toEqual(described('ann', { isDeactivated }));
    },
  );

  reproduce('UpdatePrimaryPartyAuthentication', 'sets and clears the flag', async () => {
    const on = { primaryPartyAuthentication: true };
    const path = 'primary_party_authentication';
    expect(await updated({}, on, path)).toEqual(described('ann', on));
    const { body } = await update('ann', { primaryPartyAuthentication: false }, path);
    expect(unversioned(body.user)).toEqual(described('ann'));
    expect(await ok('GET', '/ann')).toEqual(body);
  });
});
