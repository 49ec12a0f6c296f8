/** The handlers of every served operation, by API. A served operation without a handler does not compile. */
import type { Api } from '../spec/api.js';
import { handlers as control } from './control/index.js';
import type { Handlers } from './handler.js';
import { handlers as ledger } from './ledger-api/index.js';
import { handlers as names } from './names/index.js';
import { handlers as registry } from './registry/index.js';
import { handlers as scan } from './scan/index.js';
import { handlers as sv } from './sv/index.js';
import { handlers as validator } from './validator/index.js';
import { handlers as wallet } from './wallet-app/index.js';

export const HANDLERS: { readonly [A in Api]: Handlers<A> } = {
  ledger,
  scan,
  registry,
  validator,
  wallet,
  names,
  sv,
  control,
};
