/** The JSON Ledger API: its services, gathered. A service's file holds its operations and the messages it owns. */
import { DEFAULT_API_VERSION, LEDGER_API_VERSIONS } from '../versions.js';
import { gather, type ApiFacts } from '../api.js';
import * as commands from './commands.js';
import * as contracts from './contracts.js';
import * as errors from './errors.js';
import * as events from './events.js';
import * as filters from './filters.js';
import * as health from './health.js';
import * as identityProviders from './identity-providers.js';
import * as interactiveSubmission from './interactive-submission.js';
import * as jose from './jose.js';
import * as packageVetting from './package-vetting.js';
import * as packages from './packages.js';
import * as parties from './parties.js';
import * as state from './state.js';
import * as transactions from './transactions.js';
import * as unlisted from './unlisted.js';
import * as updates from './updates.js';
import * as users from './users.js';
import * as values from './values.js';
import * as version from './version.js';

export const ledgerApi: ApiFacts = {
  api: 'ledger',
  openapi: '3.0.3',
  title: 'JSON Ledger API HTTP endpoints',
  version: LEDGER_API_VERSIONS[DEFAULT_API_VERSION],
  basePath: '',
  securitySchemes: {
    apiKeyAuth: { type: 'apiKey', name: 'Sec-WebSocket-Protocol', in: 'header' },
    httpAuth: { type: 'http', scheme: 'bearer' },
  },
  ...gather([
    commands,
    contracts,
    errors,
    events,
    filters,
    health,
    identityProviders,
    interactiveSubmission,
    jose,
    packageVetting,
    packages,
    parties,
    state,
    transactions,
    unlisted,
    updates,
    users,
    values,
    version,
  ]),
};
