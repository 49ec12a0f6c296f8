/** Times that a choice has to keep, refused with the ids of Daml's standard library. */
import type { Update } from '../../daml/define/index.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';

/** Ledger time has to be before the deadline. */
export function checkWithinDeadline(update: Update, name: string, deadline: Timestamp): void {
  if (update.getTime() < deadline) return;
  const text = formatInstant(deadline);
  update.fail(`The deadline ${name} has passed: it was at ${text}`, {
    errorId: 'stdlib.daml.com/deadline-exceeded',
    meta: { deadline: text },
  });
}

/** Ledger time has to be at or after that time. */
export function checkDeadlineExceeded(update: Update, name: string, time: Timestamp): void {
  if (update.getTime() >= time) return;
  const text = formatInstant(time);
  update.fail(`It is too early: ${name} is at ${text}`, {
    errorId: 'stdlib.daml.com/deadline-not-exceeded',
    meta: { deadline: text },
  });
}
