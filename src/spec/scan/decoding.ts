/** How Scan, the validator and the registry read a request: what is required must be there, the first fault ends it. */
import { offsetDateTimeFault } from '../../daml/codec/java-time.js';
import type { ReadingRules } from '../reading.js';

export const spliceReading: ReadingRules = {
  accumulates: false,
  objectsOnly: true,
  codecOf: () => 'strict',
  textKindOf: () => undefined,
  timeFault: offsetDateTimeFault,
  alsoRequired: () => [],
  isOption: () => false,
};
