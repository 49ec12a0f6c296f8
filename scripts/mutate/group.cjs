/** The suites that a mutant is tested with, in one set of loaded modules. Each is a path from the root of the repository, or a whole one. */
const { resolve } = require('node:path');

for (const suite of SUITES) describe(suite, () => void require(resolve(__dirname, '../..', suite)));
