/**
 * The handlers of every served operation, by API. A served operation without a handler does not compile. Those that many tests never
 * ask for are looked at when somebody does: until then their code is not loaded (scripts/build/late.mjs).
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

export const HANDLERS: { readonly [A in Api]: Handlers<A> } = {
  ledger,
  get scan() {
    return scan;
  },
  get registry() {
    return registry;
  },
  get validator() {
    return validator;
  },
  get wallet() {
    return wallet;
  },
  get names() {
    return names;
  },
  get sv() {
    return sv;
  },
  get control() {
    return control;
  },
};
