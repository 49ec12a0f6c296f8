/** The JSON Ledger API: the handlers of its services. */
import type { Handlers } from '../handler.js';
import { commands } from './commands.js';
import { contracts } from './contracts.js';
import { contractPages } from './contract-pages.js';
import { externalParties } from './external-parties.js';
import { hashLookups } from './hash-lookups.js';
import { identityProviders } from './identity-providers.js';
import { jose } from './jose.js';
import { legacyUpdates } from './legacy-updates.js';
import { packagePreference } from './package-preference.js';
import { packageVetting } from './package-vetting.js';
import { interactiveSubmission } from './interactive-submission.js';
import { packages } from './packages.js';
import { parties } from './parties.js';
import { state } from './state.js';
import { updatePages } from './update-pages.js';
import { updates } from './updates.js';
import { users } from './users.js';
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
};
