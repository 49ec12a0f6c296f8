/** What goes wrong on purpose with calls that come over the APIs, from this step on. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { described, list, name, optional, payload, yesOrNo } from '../fields.js';
import { verb } from '../row.js';

export const fault = verb({
  summary: 'Has something go wrong with calls that come over the APIs, from now on.',
  subject: described(list(name), "Ids of operations, as the documents name them, or '*'."),
  fields: {
    when: optional(
      described(
        payload,
        'Which calls it meets: participant, commandId, party, template, choice, nth, times, probability.',
      ),
    ),
    do: described(payload, 'What goes wrong, such as { lose: answer } or { refuse: 503 }.'),
    optional: optional(described(yesOrNo, 'Nobody is told that it never happened.')),
  },
  result: 'its id',
  run: ({ network }, on, { when, do: action, optional: mayNotBe = true }) => {
    const rule = { on, when, do: action, optional: mayNotBe };
    try {
      return network.faults.add(rule as unknown as FaultRule).id;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      throw new ScenarioError(error.details.cause);
    }
  },
});
