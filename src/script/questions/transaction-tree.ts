/** The transaction of a submission as scripts see it: a tree of creations and exercises. */
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import type { ScriptEvent } from '../ledger.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import {
  anyChoice,
  anyContractId,
  anyTemplate,
  choiceOf,
  fromList,
  opaqueChoice,
  opaqueTemplate,
} from '../values.js';

const EVENT = 'TransactionTree:TreeEvent';

export function transactionTree(run: RunningScript, events: readonly ScriptEvent[]): RuntimeRecord {
  return record(fromList(events, (event) => treeEvent(run, event)));
}

function treeEvent(run: RunningScript, event: ScriptEvent): unknown {
  const { packages, library } = run;
  const { templateId, contractId } = event;
  const id = anyContractId(templateId, contractId);
  if (event.kind === 'created') {
    const { payload } = event;
    const template =
      payload === undefined
        ? opaqueTemplate(templateId)
        : anyTemplate(packages, templateId, payload);
    return library.variant(EVENT, 'CreatedEvent', record(id, template));
  }
  const { interfaceId, choice, argument, children } = event;
  const definition = interfaceId ?? templateId;
  const given =
    argument === undefined
      ? opaqueChoice(definition, choice)
      : anyChoice(
          packages,
          choiceOf(packages, templateId, interfaceId, choice)!,
          definition,
          argument,
        );
  const below = fromList(children, (child) => treeEvent(run, child));
  return library.variant(EVENT, 'ExercisedEvent', record(id, choice, given, below));
}
