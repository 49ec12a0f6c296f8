/** The door of codegen: what tests use of it. The rooms themselves import its files. */
export { documentationOf } from './documentation.js';
export { generateTypeScript } from './generate.js';
