/** All suites in one file: each file of vitest sets up its environment and loads everything again. */
describe('canticle', () => import('./canticle.test.js'));
describe('msw', () => import('./msw.test.js'));
describe('wallet', () => import('./wallet.test.js'));
