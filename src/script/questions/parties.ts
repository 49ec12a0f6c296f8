/** Questions about parties: allocation with a hint or a display name, and lists. */
import { awaited, type Waiting } from '../awaited.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import { fromList, listOf, optionalOf, textOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

function* allocate(
  { hints, ledger }: RunningScript,
  requestedName: unknown,
  idHint: unknown,
  participants: readonly string[],
): Waiting<unknown> {
  const hint = hints.hint(textOf(idHint), textOf(requestedName));
  return yield* awaited(ledger.allocateParty(hint, participants));
}

export const partyQuestions: QuestionRows = {
  *'AllocateParty 1'(run, { p0: name, p1: hint, p2: participant }) {
    const chosen = optionalOf(participant, textOf);
    return yield* allocate(run, name, hint, chosen === undefined ? [] : [chosen]);
  },
  *'AllocateParty 2'(run, { p0: name, p1: hint, p2: participants }) {
    return yield* allocate(run, name, hint, listOf(participants, textOf));
  },
  *'ListKnownParties 1'({ ledger }, { p0: participant }) {
    const known = yield* awaited(ledger.knownParties(optionalOf(participant, textOf)));
    return fromList(known, ({ party, isLocal }) => record(party, isLocal));
  },
};
