/**
 * A simplified Amulet with its wallet, for a LocalNet without Splice's DARs: the contracts that a wallet uses first, with their original
 * names. Its packages' ids are its own.
 */
import { definePackage } from '../../daml/define/index.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { AmuletRules, OpenMiningRound } from './amulet-rules.js';
import { AmuletAllocation } from './allocations.js';
import { AmuletAllocationV2 } from './allocations-v2.js';
import { Amulet, FeaturedAppRight, LockedAmulet, ValidatorRight } from './amulets.js';
import { AmuletConfig } from './configuration.js';
import { AcceptedTransferOffer, TransferOffer } from './offers.js';
import { TransferPreapproval } from './preapprovals.js';
import { AmuletTransferInstruction, ExternalPartyAmuletRules } from './transfers.js';
import { TransferPreapprovalProposal, WalletAppInstall } from './wallet-install.js';

/** Lower than the version of any release, so that clients expect no features. */
const VERSION = '0.0.1';

// Ids are the hashes of their archives, which take some milliseconds of each start (test/splice/model.test.ts compares).
const amulet: DamlPackage = definePackage({
  name: 'splice-amulet',
  id: '7a1dc875c7e806e03c60c5feab727fd91bec11b9cbe774ed5aa0518fa1f767d5',
  version: VERSION,
  templates: [
    AmuletRules,
    OpenMiningRound,
    Amulet,
    LockedAmulet,
    ValidatorRight,
    ExternalPartyAmuletRules,
    AmuletTransferInstruction,
    AmuletAllocation,
    AmuletAllocationV2,
    TransferPreapproval,
    FeaturedAppRight,
  ],
  types: [AmuletConfig],
});

const wallet: DamlPackage = definePackage({
  name: 'splice-wallet',
  id: '70c748d1b19af2fb523e3e946481e26f740bc3fac6f60d9238891df89703f4fa',
  version: VERSION,
  templates: [WalletAppInstall, TransferPreapprovalProposal, TransferOffer, AcceptedTransferOffer],
});

/** In an order in which each comes after those that it refers to. */
export const AMULET_MODEL: readonly DamlPackage[] = [amulet, wallet];
