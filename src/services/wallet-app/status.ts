/** The status endpoints for users with a token: whether they have a wallet, and the features of wallets (WA-GEN-003). */
import type { PackageLookup } from '../../daml/model/package.js';
import { compareVersions } from '../../daml/model/versions.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import { walletOf } from '../../splice/wallet/wallet.js';
import type { SomeHandlers } from '../handler.js';

/** The first version of the wallet that supports the token standard and descriptions of preapproved transfers. */
const FIRST_WITH_BOTH = '0.1.9';

export const statusHandlers = {
  userStatus: ({ splice, validator, userId }) => {
    const wallet = walletOf(splice, validator, userId);
    return {
      party_id: wallet?.party ?? '',
      user_onboarded: wallet !== undefined,
      user_wallet_installed: wallet !== undefined,
      has_featured_app_right: wallet?.first('featuredAppRight') !== undefined,
    };
  },
  featureSupport: ({ validator: { participant } }) => {
    const packages = participant.packagesFor();
    const isThere = isAtLeast(packages, FIRST_WITH_BOTH);
    return {
      token_standard: isThere || isModel(packages),
      transfer_preapproval_description: isThere,
    };
  },
} satisfies SomeHandlers<'wallet'>;

/** The simplified Amulet supports the standard in all its versions. */
function isModel(packages: PackageLookup): boolean {
  const id = packages.packageIdForName('splice-wallet');
  return AMULET_MODEL.some((each) => each.id === id);
}

function isAtLeast(packages: PackageLookup, version: string): boolean {
  const id = packages.packageIdForName('splice-wallet');
  return id !== undefined && compareVersions(packages.package(id)!.version, version) >= 0;
}
