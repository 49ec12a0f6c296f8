/** How one question is answered: from its payload, a record of the script library, to the answer, both values of code. */
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import type { Waiting } from '../awaited.js';
import type { RunningScript } from '../running-script.js';

/** @param converts whether exceptions become failures with a status, as outside `try` */
export type QuestionRow = (
  run: RunningScript,
  payload: RuntimeRecord,
  converts: boolean,
) => Waiting<unknown>;

/** By name and version, as `Name 1`. */
export type QuestionRows = Readonly<Record<string, QuestionRow>>;
