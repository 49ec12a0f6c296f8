/**
 * The handlers of every served operation, by API. A served operation without a handler does not compile. All processes use those of the
 * Ledger API; the others are loaded when one of their operations is called.
 */
import type { Api } from '../spec/api.js';
import { lazy } from '../daml/errors/lazy.js';
import type { Handlers } from './handler.js';
import { handlers as ledger } from './ledger-api/index.js';
import type * as Scan from './scan/index.js';
import type * as Registry from './registry/index.js';
import type * as Validator from './validator/index.js';
import type * as Wallet from './wallet-app/index.js';
import type * as Names from './names/index.js';
import type * as Sv from './sv/index.js';
import type * as Control from './control/index.js';

const scan = lazy(() => require('./scan/index.js') as typeof Scan);
const registry = lazy(() => require('./registry/index.js') as typeof Registry);
const validator = lazy(() => require('./validator/index.js') as typeof Validator);
const wallet = lazy(() => require('./wallet-app/index.js') as typeof Wallet);
const names = lazy(() => require('./names/index.js') as typeof Names);
const sv = lazy(() => require('./sv/index.js') as typeof Sv);
const control = lazy(() => require('./control/index.js') as typeof Control);

export const HANDLERS: { readonly [A in Api]: () => Handlers<A> } = {
  ledger: () => ledger,
  scan: () => scan().handlers,
  registry: () => registry().handlers,
  validator: () => validator().handlers,
  wallet: () => wallet().handlers,
  names: () => names().handlers,
  sv: () => sv().handlers,
  control: () => control().handlers,
};
