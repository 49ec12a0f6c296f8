/**
 * The handlers of every served operation, by API. A served operation without a handler does not compile. They are looked at when
 * somebody asks: until then the code of most is not loaded (scripts/build/late.mjs).
 */
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

export const HANDLERS: { readonly [A in Api]: () => Handlers<A> } = {
  ledger: () => ledger,
  scan: () => scan,
  registry: () => registry,
  validator: () => validator,
  wallet: () => wallet,
  names: () => names,
  sv: () => sv,
  control: () => control,
};
