/** The results of scripts in JUnit's form: a suite for each DAR, a case for each script, as `daml test --junit` has them. */
import { basename } from 'node:path';
import type { JUnitCase, JUnitSuite } from '../junit.js';
import { failureLines } from './failure-lines.js';
import type { TestedDar, TimedScript } from './tested-dar.js';

export const suiteOf = ({ file, scripts }: TestedDar): JUnitSuite => ({
  name: basename(file),
  cases: scripts.map(({ junit }) => junit),
});

export function caseOf({ name, script, failure, milliseconds }: TimedScript): JUnitCase {
  const reported = failure && {
    message: failure.message.split('\n')[0]!,
    text: failureLines(failure).join('\n'),
  };
  return { name, classname: script.module, milliseconds, ...(reported && { failure: reported }) };
}
