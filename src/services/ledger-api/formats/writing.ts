/** The circumstances in which events are written. */
import type { Participant } from '../../../network/participant.js';
import type { LedgerContext } from '../../handler.js';
import type { ValueWriter } from '../../value-form.js';

/** The participant that writes events, the form of their values, and the call. */
export interface Writing {
  readonly participant: Participant;
  readonly writer: ValueWriter;
  readonly call: WritingCall;
}

type WritingCall = Pick<LedgerContext, 'origin'> & Partial<Pick<LedgerContext, 'apiVersion'>>;

/** For reading back a submission: its errors have no trace. */
export const untracedCall = ({
  participant: { name },
  apiVersion,
}: Pick<LedgerContext, 'participant' | 'apiVersion'>): WritingCall => ({
  origin: { participant: name },
  apiVersion,
});
