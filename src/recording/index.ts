/** The door of recordings: what the tests of other rooms use of it. The rooms themselves import each other's files. */
export { Identities } from './identities.js';
