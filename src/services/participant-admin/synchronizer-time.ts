/** `SynchronizerTimeService`: what time it is at a synchronizer, and when it is a certain time there. */
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

const referenceIn = (given: SynchronizerMessage | undefined): SynchronizerReference | undefined =>
  given && synchronizerReference(given, { empty: 'kind', id: 'id', physicalId: 'physical_id' });

/** @throws PlainRefusal where the participant is not connected to it */
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
    ({ synchronizer, freshnessBound }: FetchTimeRequest) => {
      const reference = referenceIn(synchronizer);
      nonNegativeDuration('freshnessBound', required('freshnessBound', freshnessBound));
      return reference;
    },
    (context, reference) => {
      named(context, reference);
      return { timestamp: formatInstant(context.network.clock.now()) };
    },
    refused,
  ),
  /** NOTE: a time that is still to come is not waited for: without more requests it would come only if the clock is moved. */
  awaitTime: parsed(
    ({ synchronizer, timestamp }: AwaitTimeRequest) => {
      const reference = referenceIn(synchronizer);
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
