/** Submits commands of any party without a token: the real submission of a simulated step, for tests. */
import { submit } from '../../network/commands/submit.js';
import type { Submitted } from '../../spec/generated/control.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { submitAndRead } from '../ledger-api/commands/submit-and-read.js';
import { readStep } from './simulation.js';

export const submission = {
  submit: (context, { body }) => {
    const { network, releases } = context;
    const name = body.participant;
    if (name !== undefined && !network.participants.some((each) => each.name === name))
      throw new HttpRefusal(404, `There is no participant ${name}.`);
    const step = readStep(network, releases, body);
    const { participant, time } = step;
    if (time !== undefined) network.clock.set(time);
    return submitAndRead(
      { network, participant },
      () => submit(participant, step.submission()),
      ({ updateId }, offset): Submitted => ({ participant: participant.name, updateId, offset }),
    );
  },
} satisfies SomeHandlers<'control'>;
