/** Durations in the format of `java.time.Duration`: `PT85H26M0.595279S`, `PT0S` (S-GEN-006). */
import { MICROS_PER_SECOND } from '../../../daml/model/time.js';

/** @param microseconds at least 0 */
export function formatDuration(microseconds: bigint): string {
  const total = microseconds / MICROS_PER_SECOND;
  const fraction = (microseconds % MICROS_PER_SECOND)
    .toString()
    .padStart(6, '0')
    .replace(/0+$/, '');
  const hours = total / 3600n;
  const minutes = (total / 60n) % 60n;
  const seconds = `${total % 60n}${fraction === '' ? '' : `.${fraction}`}`;
  const parts = `${hours > 0n ? `${hours}H` : ''}${minutes > 0n ? `${minutes}M` : ''}`;
  return `PT${parts}${seconds === '0' && parts !== '' ? '' : `${seconds}S`}`;
}
