/** The version and features of this participant (B-VER-001 to B-VER-005). */
import { MAX_PARTIES_PAGE_SIZE } from '../../network/administration/party-records.js';
import { MAX_RIGHTS_PER_USER } from '../../network/administration/user-rights.js';
import { MAX_USERS_PAGE_SIZE } from '../../network/administration/users.js';
import { MAX_VETTED_PACKAGES_PAGE_SIZE } from '../../network/vetting/vetted-packages.js';
import { releaseOf } from '../../spec/versions.js';
import type { SomeHandlers } from '../handler.js';

/** The maximum time that a stream of an active ledger waits for an offset checkpoint. */
const MAX_OFFSET_CHECKPOINT_EMISSION_DELAY_SECONDS = 75;

export const version = {
  getV2Version: ({ network, apiVersion }) => ({
    version: releaseOf(apiVersion).version,
    features: {
      experimental: {
        staticTime: { supported: network.options.wallClock === undefined },
        commandInspectionService: { supported: true },
      },
      userManagement: {
        supported: true,
        maxRightsPerUser: MAX_RIGHTS_PER_USER,
        maxUsersPageSize: MAX_USERS_PAGE_SIZE,
      },
      partyManagement: { maxPartiesPageSize: MAX_PARTIES_PAGE_SIZE },
      offsetCheckpoint: {
        maxOffsetCheckpointEmissionDelay: {
          seconds: MAX_OFFSET_CHECKPOINT_EMISSION_DELAY_SECONDS,
          nanos: 0,
          unknownFields: { fields: {} },
        },
      },
      packageFeature: { maxVettedPackagesPageSize: MAX_VETTED_PACKAGES_PAGE_SIZE },
    },
  }),
} satisfies SomeHandlers<'ledger'>;
