/** The verb that injects faults into API calls from this step on. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { described, list, name, optional, payload, yesOrNo } from '../fields.js';
import { verb } from '../row.js';

export const fault = verb({
  summary: 'Injects a fault into API calls from now on.',
  subject: described(list(name), "Operation ids of the OpenAPI documents, or '*'."),
  fields: {
    when: optional(
      described(
        payload,
        'Conditions of the calls: participant, commandId, party, template, choice, nth, times, probability.',
      ),
    ),
    do: described(payload, 'The fault, such as { lose: answer } or { refuse: 503 }.'),
    optional: optional(described(yesOrNo, 'Do not report if the fault never happened.')),
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
