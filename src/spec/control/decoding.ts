/** How our own controls read a request: strictly, and they tell every fault. */
import { timestampFault } from '../../daml/codec/java-time.js';
import type { ReadingRules } from '../reading.js';

export const controlReading: ReadingRules = {
  accumulates: true,
  objectsOnly: true,
  codecOf: () => 'strict',
  textKindOf: () => undefined,
  timeFault: timestampFault,
  alsoRequired: () => [],
  isOption: () => false,
};
