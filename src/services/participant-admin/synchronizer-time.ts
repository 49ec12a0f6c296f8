/** `SynchronizerTimeService`: returns the time at a synchronizer, and waits for a time there. */
import { formatInstant } from '../../daml/model/time.js';
import { abbreviatedId } from '../../network/model/ids.js';
import type { Synchronizer } from '../../network/synchronizer.js';
import {
  instant,
  nonNegativeDuration,
  required,
  synchronizerReference,
  type DurationMessage,
  type SynchronizerMessage,
  type SynchronizerReference,
} from './parsing/fields.js';
import { invalidArgumentAlone, parsed } from './parsing/parsed.js';
import { connected, type AdminContext } from './admin-context.js';

export interface FetchTimeRequest {
  readonly synchronizer?: SynchronizerMessage;
  readonly freshnessBound?: DurationMessage;
}

export interface AwaitTimeRequest {
  readonly synchronizer?: SynchronizerMessage;
  readonly timestamp?: string;
}

const refused = ({ printed }: { readonly printed: string }) => invalidArgumentAlone(printed);

const FIELDS = { empty: 'kind', id: 'id', physicalId: 'physical_id' };

const referenceIn = (
  given: SynchronizerMessage | undefined,
  supported: readonly number[],
): SynchronizerReference | undefined => given && synchronizerReference(given, FIELDS, supported);

/** @throws PlainRefusal if the participant is not connected to the synchronizer */
function named(context: AdminContext, given: SynchronizerReference | undefined): Synchronizer {
  if (given === undefined)
    throw invalidArgumentAlone('Synchronizer must be specified to lookup a time on a participant');
  const found = connected(context).find(({ id }) => id === given.id);
  if (found === undefined)
    throw invalidArgumentAlone(
      `Not connected to any synchronizer with id ${abbreviatedId(given.id)}`,
    );
  const { physicalId } = given;
  if (physicalId !== undefined && physicalId !== found.physicalId)
    throw invalidArgumentAlone(
      `Not connected to ${abbreviatedId(given.id)}${physicalId.slice(given.id.length)} but to ${found.printedId}`,
    );
  return found;
}

export const synchronizerTime = {
  fetchTime: parsed(
    ({ synchronizer, freshnessBound }: FetchTimeRequest, supported) => {
      const reference = referenceIn(synchronizer, supported);
      nonNegativeDuration('freshnessBound', required('freshnessBound', freshnessBound));
      return reference;
    },
    (context, reference) => {
      named(context, reference);
      return { timestamp: formatInstant(context.network.clock.now()) };
    },
    refused,
  ),
  /** NOTE: it does not wait for a future time, which would only come with another request or a change of the clock. */
  awaitTime: parsed(
    ({ synchronizer, timestamp }: AwaitTimeRequest, supported) => {
      const reference = referenceIn(synchronizer, supported);
      instant(required('timestamp', timestamp));
      return reference;
    },
    (context, reference) => {
      named(context, reference);
      return {};
    },
    refused,
  ),
};
