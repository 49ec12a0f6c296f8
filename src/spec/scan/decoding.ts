/** Decodes requests as Scan, the validator and the registry do: required members must exist, and the first fault is the error. */
import { offsetDateTimeError } from '../../daml/codec/java-time.js';
import type { ReadingRules } from '../reading.js';

export const spliceReading: ReadingRules = {
  accumulates: false,
  objectsOnly: true,
  codecOf: () => 'strict',
  textKindOf: () => undefined,
  timeError: offsetDateTimeError,
  alsoRequired: () => [],
  isOption: () => false,
};
