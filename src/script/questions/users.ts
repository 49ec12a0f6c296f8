/** Users of a participant and their rights. */
import { userIdError } from '../../daml/model/identifiers.js';
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { Some, UNIT } from '../../daml/model/values.js';
import { awaited } from '../awaited.js';
import { ScriptError } from '../failures.js';
import type { ScriptRight, ScriptUser } from '../ledger.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import { fromList, listOf, optionalOf, textOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

const RIGHT = 'UserManagement:UserRight';

const idOf = (id: unknown): string => textOf((id as RuntimeRecord)['p0']);
const some = (value: unknown): unknown => new Some(value as never);
const participantIn = (payload: RuntimeRecord, member: string) =>
  optionalOf(payload[member], textOf);

function rightOf(run: RunningScript, value: unknown): ScriptRight {
  const { name: kind, value: held } = run.library.constructorOf(RIGHT, value);
  return typeof held === 'string' ? { kind, party: held } : { kind };
}

/**
 * Converts rights to the form of the script library. @throws ScriptError for a right that the library's release does
 * not have
 */
function fromRights(run: RunningScript, rights: readonly ScriptRight[]): unknown {
  return fromList(rights, ({ kind, party }) => {
    if (!run.library.hasConstructor(RIGHT, kind))
      throw new ScriptError(`${kind} user right is not known to ${run.library}`);
    return run.library.variant(RIGHT, kind, party ?? UNIT);
  });
}

const fromUser = ({ id, primaryParty }: ScriptUser): RuntimeRecord =>
  record(record(id), primaryParty === undefined ? null : some(primaryParty));

const unitIf = (isSo: boolean): unknown => (isSo ? some(UNIT) : null);

export const userQuestions: QuestionRows = {
  *'ValidateUserId 1'(_run, { p0: name }) {
    const error = userIdError(textOf(name));
    return error === undefined ? null : some(error);
  },
  *'CreateUser 1'(run, payload) {
    const { p0: user, p1: rights } = payload;
    const { p0: id, p1: primaryParty } = user as RuntimeRecord;
    const created = run.ledger.users(participantIn(payload, 'p2')).create(
      { id: idOf(id), primaryParty: optionalOf(primaryParty, textOf) },
      listOf(rights, (right) => rightOf(run, right)),
    );
    return unitIf(yield* awaited(created));
  },
  *'GetUser 1'({ ledger }, payload) {
    const user = yield* awaited(
      ledger.users(participantIn(payload, 'p1')).get(idOf(payload['p0'])),
    );
    return user === undefined ? null : some(fromUser(user));
  },
  *'DeleteUser 1'({ ledger }, payload) {
    const { p0: id } = payload;
    return unitIf(yield* awaited(ledger.users(participantIn(payload, 'p1')).delete(idOf(id))));
  },
  *'ListAllUsers 1'({ ledger }, payload) {
    return fromList(yield* awaited(ledger.users(participantIn(payload, 'p0')).all()), fromUser);
  },
  *'GrantUserRights 1'(run, payload) {
    const { p0: id, p1: rights } = payload;
    const given = listOf(rights, (right) => rightOf(run, right));
    const granted = run.ledger.users(participantIn(payload, 'p2')).grant(idOf(id), given);
    const added = yield* awaited(granted);
    return added === undefined ? null : some(fromRights(run, added));
  },
  *'RevokeUserRights 1'(run, payload) {
    const { p0: id, p1: rights } = payload;
    const given = listOf(rights, (right) => rightOf(run, right));
    const revoked = run.ledger.users(participantIn(payload, 'p2')).revoke(idOf(id), given);
    const removed = yield* awaited(revoked);
    return removed === undefined ? null : some(fromRights(run, removed));
  },
  *'ListUserRights 1'(run, payload) {
    const listed = run.ledger.users(participantIn(payload, 'p1')).rights(idOf(payload['p0']));
    const rights = yield* awaited(listed);
    return rights === undefined ? null : some(fromRights(run, rights));
  },
};
