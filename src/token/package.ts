/** The packages of the built-in test token: the standard's interfaces and the token itself. Every sandbox holds them. */
import { definePackage } from '../daml/define/index.js';
import type { DamlPackage } from '../daml/model/package.js';
import { allocationInstructionV1 } from './standard/allocation-instruction-v1.js';
import { allocationRequestV1 } from './standard/allocation-request-v1.js';
import { allocationV1 } from './standard/allocation-v1.js';
import { allocationInstructionV2 } from './standard/allocation-instruction-v2.js';
import { allocationRequestV2 } from './standard/allocation-request-v2.js';
import { allocationV2 } from './standard/allocation-v2.js';
import { holdingV1 } from './standard/holding-v1.js';
import { holdingV2 } from './standard/holding-v2.js';
import { metadataV1 } from './standard/metadata-v1.js';
import { transferEventsV2 } from './standard/transfer-events-v2.js';
import { transferInstructionV1 } from './standard/transfer-instruction-v1.js';
import { transferInstructionV2 } from './standard/transfer-instruction-v2.js';
import { TokenAllocation } from './allocations/allocation.js';
import { TokenRules } from './token-rules.js';
import { Token } from './holdings/token.js';
import { TransferOffer } from './transfers/transfer-offer.js';

export const testTokenPackage: DamlPackage = definePackage({
  name: 'canticle-test-token',
  version: '1.0.0',
  // The hash of its archive, which takes some milliseconds of each start (test/token/archive.test.ts compares).
  id: 'dcef0733594850fdf18299e2d854775243ccf35eac2fc55a6b61d3a8346797e8',
  templates: [TokenRules, Token, TransferOffer, TokenAllocation],
});

/** In an order in which each comes after those that it refers to. */
export const TOKEN_STANDARD_PACKAGES: readonly DamlPackage[] = [
  metadataV1,
  holdingV1,
  transferInstructionV1,
  allocationV1,
  allocationInstructionV1,
  allocationRequestV1,
  holdingV2,
  transferInstructionV2,
  transferEventsV2,
  allocationV2,
  allocationInstructionV2,
  allocationRequestV2,
];

export const TOKEN_PACKAGES: readonly DamlPackage[] = [
  ...TOKEN_STANDARD_PACKAGES,
  testTokenPackage,
];
