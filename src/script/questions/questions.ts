/** Every question that scripts ask, by its name and version. */
import { ScriptError } from '../failures.js';
import { cryptoQuestions } from './crypto.js';
import { exceptionQuestions } from './exceptions.js';
import { packageQuestions } from './packages.js';
import { partyQuestions } from './parties.js';
import { queryQuestions } from './queries.js';
import type { QuestionRow, QuestionRows } from './question-row.js';
import { submitQuestions } from './submit.js';
import { timeQuestions } from './time.js';
import { userQuestions } from './users.js';

const ROWS: QuestionRows = {
  ...submitQuestions,
  ...queryQuestions,
  ...partyQuestions,
  ...timeQuestions,
  ...exceptionQuestions,
  ...userQuestions,
  ...packageQuestions,
  ...cryptoQuestions,
};

/** @throws ScriptError for an unknown question */
export function questionRow(name: string, version: number): QuestionRow {
  const key = `${name} ${version}`;
  if (!Object.hasOwn(ROWS, key))
    throw new ScriptError(`Unknown command ${name} - Version ${version}`);
  return ROWS[key]!;
}
