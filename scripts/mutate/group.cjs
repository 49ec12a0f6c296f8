/** Loads all suites for a mutant together, so that modules are loaded once. Paths are absolute, or relative to the repository. */
const { resolve } = require('node:path');

for (const suite of SUITES) describe(suite, () => void require(resolve(__dirname, '../..', suite)));
