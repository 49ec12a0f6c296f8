/** The entry point of codegen for tests. Source files of other folders import its files directly. */
export { documentationOf } from './documentation.js';
export { generateTypeScript } from './generate.js';
