/** The ledger's time. */
import { UNIT } from '../../daml/model/values.js';
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { awaited } from '../awaited.js';
import { fromInt, timeOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

export const timeQuestions: QuestionRows = {
  *'GetTime 1'({ ledger }) {
    return fromInt(yield* awaited(ledger.time()));
  },
  *'SetTime 1'({ ledger }, { p0: time }) {
    yield* awaited(ledger.setTime(timeOf(time)));
    return UNIT;
  },
  *'Sleep 1'({ ledger }, { p0: duration }) {
    // A `RelTime` is a record of microseconds.
    yield* awaited(ledger.sleep(timeOf((duration as RuntimeRecord)['p0'])));
    return UNIT;
  },
};
