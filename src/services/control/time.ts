/** The clock of the network: reads it, and advances it. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Network } from '../../network/network.js';
import type { SomeHandlers } from '../handler.js';
import { parseDuration, parseTime } from '../../network/model/time-texts.js';

const shown = ({ clock }: Network) => ({
  time: formatTimestampMicros(clock.now()),
  mode: clock.mode === 'virtual' ? ('virtual' as const) : ('wall-clock' as const),
});

export const time = {
  getTime: ({ network }) => shown(network),

  setTime: ({ network }, { body }) => {
    network.clock.set(parseTime(body.time));
    return shown(network);
  },

  advanceTime: ({ network }, { body: { duration, micros } }) => {
    if ((duration === undefined) === (micros === undefined))
      throw ledgerError(
        'INVALID_ARGUMENT',
        'Say how far time moves: either duration, such as "PT10M", or micros.',
      );
    network.clock.advance(duration === undefined ? BigInt(micros!) : parseDuration(duration));
    return shown(network);
  },
} satisfies SomeHandlers<'control'>;
