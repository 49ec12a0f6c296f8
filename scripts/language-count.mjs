// `node scripts/language-count.mjs`: counts the cases of the language's own suites (community/daml-lf of
// digital-asset/canton, main branch) that our tests cover, that do not apply, and that are missing. A case is an `in`
// of a suite, however often a loop runs it. Reads
// test/daml/lf/language-cases.json as count-cases.mjs says. Left out are the suites on the JVM implementation's own
// collections,
// serialization, text parser, decoder of Daml-LF 1 and tools.
import { join } from 'node:path';
import { countCases } from './count-cases.mjs';
import { root } from './steps.mjs';

countCases(process.argv[2] ?? join(root, 'test/daml/lf/language-cases.json'));
