/** The JSON Ledger API: the handlers of its services. */
import type { Handlers } from '../handler.js';
import { commands } from './commands/commands.js';
import { contracts } from './state/contracts.js';
import { contractPages } from './state/contract-pages.js';
import { externalParties } from './parties/external-parties.js';
import { hashLookups } from './commands/hash-lookups.js';
import { identityProviders } from './users/identity-providers.js';
import { jose } from './interactive/jose.js';
import { legacyUpdates } from './legacy/legacy-updates.js';
import { packagePreference } from './packages/package-preference.js';
import { packageVetting } from './packages/package-vetting.js';
import { interactiveSubmission } from './interactive/interactive-submission.js';
import { packages } from './packages/packages.js';
import { parties } from './parties/parties.js';
import { state } from './state/state.js';
import { trafficAccounts } from './state/traffic-accounts.js';
import { updatePages } from './updates/update-pages.js';
import { updates } from './updates/updates.js';
import { users } from './users/users.js';
import { version } from './version.js';

export const handlers: Handlers<'ledger'> = {
  ...version,
  ...state,
  ...commands,
  ...updates,
  ...contracts,
  ...parties,
  ...externalParties,
  ...interactiveSubmission,
  ...users,
  ...packages,
  ...packageVetting,
  ...packagePreference,
  ...identityProviders,
  ...contractPages,
  ...updatePages,
  ...legacyUpdates,
  ...hashLookups,
  ...jose,
  ...trafficAccounts,
};
