/** Who calls an app of Splice, or what a caller is told that may not. */
import { spliceCaller, type SpliceCaller } from '../../services/authorization/splice-callers.js';
import { callerRefusedAnswer, type WireAnswer } from '../answers.js';
import type { Exchange, World } from '../contexts.js';
import type { Note } from '../notes.js';
import type { Match } from '../routing/router.js';

type Entry =
  | { readonly admission: SpliceCaller }
  | { readonly refusal: { readonly answer: WireAnswer; readonly note: Note } };

/** @returns undefined where it is open */
export async function spliceEntry(
  { auth, splice, participant }: World,
  { header }: Exchange,
  { access, operation: { operationId } }: Match,
  query: string,
): Promise<Entry | undefined> {
  if (access === undefined) return undefined;
  const validator = access.class.startsWith('sv ')
    ? splice.validator
    : splice.validatorAt(participant);
  const caller = await spliceCaller({ auth, access, operationId, validator, header, query });
  if ('kind' in caller) return { admission: caller };
  const note = { outcome: 'refused', explanation: caller.reason } as const;
  return { refusal: { answer: callerRefusedAnswer(caller), note } };
}
