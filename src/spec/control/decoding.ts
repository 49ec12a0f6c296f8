/** How Canticle's controls read a request: strictly, with a report of every fault. */
import { timestampError } from '../../daml/codec/java-time.js';
import type { ReadingRules } from '../reading.js';

export const controlReading: ReadingRules = {
  accumulates: true,
  objectsOnly: true,
  codecOf: () => 'strict',
  textKindOf: () => undefined,
  timeError: timestampError,
  alsoRequired: () => [],
  isOption: () => false,
};
