// `node scripts/script-count.mjs`: counts the scripts of community/daml-script-tests (digital-asset/canton, release
// line 3.5) that our tests cover, that do not apply, and that are missing. A case is a script about which the suites there have an
// expectation, in any language version. Reads
// test/script/script-cases.json as count-cases.mjs says. Three of the modules there have no scripts: they help the
// others.
import { join } from 'node:path';
import { countCases } from './count-cases.mjs';
import { root } from './steps.mjs';

countCases(process.argv[2] ?? join(root, 'test/script/script-cases.json'));
