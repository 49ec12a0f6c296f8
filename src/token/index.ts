/** The door of the test token: what the tests of other rooms use of it. The rooms themselves import each other's files. */
export { TOKEN_PACKAGES } from './package.js';
