/**
 * The operations that the journeys use, with the types of a published client. The suite compiles the journeys against
 * the types of each release in place of these.
 */
import type { v3_5 } from '@canton-network/core-ledger-client-types';

export type paths = v3_5.paths;
