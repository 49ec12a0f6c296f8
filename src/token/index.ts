/** Exports of the test token for tests. Other folders of `src` import its files directly. */
export { TOKEN_PACKAGES } from './package.js';
