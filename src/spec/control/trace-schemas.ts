/** The messages of traces. The types in src/daml/tracing/trace-types.ts document the fields. */
import type { Schemas } from '../schema.js';
import { byName, flag, integer, list, message, object, oneOf, text, time } from './schema-parts.js';

const PLACED = oneOf('name', 'choice');

export const traceSchemas: Schemas = {
  /**
   * `preparedTransaction`: base64; `participant`: the name of the participant that prepared it, by default the
   * first.
   */
  TracePreparedRequest: object({ preparedTransaction: text }, { participant: text }),
  /** `version` is 1: it increases when an existing member changes its meaning. `hosts`: participants by party. */
  Trace: object(
    {
      version: integer,
      outcome: oneOf('committed', 'refused', 'prepared', 'simulated'),
      retraced: flag,
      nodes: list(message('TraceNode')),
      hosts: byName(list(text)),
    },
    {
      update: message('TraceUpdate'),
      submission: message('TraceSubmission'),
      error: object({ code: text, cause: text }),
      stack: list(message('SourcePlace')),
      reasons: list(text),
      steps: integer,
    },
  ),
  /** `functions`: in pre-order. `steps` includes the steps of called functions, `own` does not. */
  StepProfile: object({
    version: integer,
    steps: integer,
    functions: list(
      object(
        { id: integer, depth: integer, name: text, steps: integer, own: integer },
        { parent: integer },
      ),
    ),
  }),
  /** `offsets`: by the participant's name. */
  TraceUpdate: object(
    {
      updateId: text,
      kind: oneOf('transaction', 'reassignment', 'topology'),
      synchronizerId: text,
      synchronizer: text,
      recordTime: time,
      workflowId: text,
      offsets: byName(integer),
    },
    { effectiveAt: time },
  ),
  TraceSubmission: object(
    { participant: text, commandId: text, actAs: list(text), readAs: list(text) },
    { userId: text, submissionId: text },
  ),
  /** In pre-order. `parent` and `through` are `id`s of other nodes. Values are in the form of the JSON Ledger API. */
  TraceNode: object(
    {
      id: integer,
      depth: integer,
      kind: oneOf('create', 'exercise', 'fetch', 'lookup', 'rollback', 'unassign', 'assign'),
      outcome: oneOf('done', 'failed', 'rolledBack', 'notReached'),
      witnesses: list(message('TraceWitness')),
    },
    {
      parent: integer,
      culprit: flag,
      nodeId: integer,
      event: flag,
      template: text,
      templateId: text,
      interface: text,
      interfaceId: text,
      choice: text,
      consuming: flag,
      contractId: text,
      key: {},
      found: list(text),
      argument: {},
      result: {},
      payload: {},
      at: message('SourcePlace'),
      placed: PLACED,
      calls: list(message('TraceCall')),
      authority: message('TraceAuthority'),
      signatories: list(text),
      observers: list(text),
      actors: list(text),
      choiceObservers: list(text),
      steps: integer,
      messages: list(text),
      source: text,
      target: text,
      reassignmentId: text,
      reassignmentCounter: integer,
    },
  ),
  TraceCall: object({}, { function: text, at: message('SourcePlace'), placed: PLACED }),
  TraceAuthority: object(
    { had: list(text), missing: list(text) },
    { needed: list(text), anyOf: flag },
  ),
  TraceWitness: object(
    {
      party: text,
      reasons: list(
        oneOf(
          'signatory',
          'observer',
          'controller',
          'choiceObserver',
          'actor',
          'maintainer',
          'divulged',
          'disclosed',
        ),
      ),
    },
    { through: integer },
  ),
};
