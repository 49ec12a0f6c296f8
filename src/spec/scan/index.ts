/** The Scan API of Splice: its services, gathered. */
import { gather, type ApiFacts } from '../api.js';
import * as activeContracts from './active-contracts.js';
import * as amuletLookups from './amulet-lookups.js';
import * as backfilling from './backfilling.js';
import * as contracts from './contracts.js';
import * as dso from './dso.js';
import * as earlierPaths from './earlier-paths.js';
import * as errors from './errors.js';
import * as events from './events.js';
import * as governance from './governance.js';
import * as health from './health.js';
import * as holdings from './holdings.js';
import * as hosting from './hosting.js';
import * as names from './names.js';
import * as rewardAccounting from './reward-accounting.js';
import * as synchronizers from './synchronizers.js';
import * as updateItems from './update-items.js';
import * as updates from './updates.js';

export const scan: ApiFacts = {
  api: 'scan',
  openapi: '3.0.0',
  title: 'Scan API',
  version: '0.0.1',
  basePath: '/api/scan',
  ...gather([
    activeContracts,
    amuletLookups,
    backfilling,
    contracts,
    dso,
    earlierPaths,
    errors,
    events,
    governance,
    health,
    holdings,
    hosting,
    names,
    rewardAccounting,
    synchronizers,
    updateItems,
    updates,
  ]),
};
