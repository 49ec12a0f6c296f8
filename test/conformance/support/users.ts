/** Users as the API tells them. */
import type { JsonAnswer } from '../../support/ledger-api.js';

/** A user in an answer, without its version. */
export const described = (id: string, more: object = {}) => ({
  id,
  primaryParty: '',
  isDeactivated: false,
  identityProviderId: '',
  primaryPartyAuthentication: false,
  metadata: { annotations: {} },
  ...more,
});
export function unversioned({
  metadata: { resourceVersion, ...metadata },
  ...user
}: JsonAnswer): JsonAnswer {
  expect(resourceVersion).toEqual(expect.stringMatching(/.+/));
  return { ...user, metadata };
}
