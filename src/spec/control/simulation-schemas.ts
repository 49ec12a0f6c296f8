/** The messages of simulations. The types in src/network/simulation/simulation-types.ts document the fields. */
import type { JsonSchema, Schemas } from '../schema.js';
import { byName, flag, integer, list, message, object, oneOf, text, time } from './schema-parts.js';

const anyObject: JsonSchema = { type: 'object', additionalProperties: true };

export const simulationSchemas: Schemas = {
  /** These values are the defaults of each step. `trace`: whether steps have their traces; true if absent. */
  SimulateRequest: object(
    { steps: list(message('StepToSimulate')) },
    {
      actAs: list(text),
      readAs: list(text),
      participant: text,
      time,
      trace: flag,
      contracts: list(message('ContractOverride')),
    },
  ),
  /**
   * The change to a contract: `archived`, with other `createArguments`, or added by its `createdEventBlob` (base64).
   */
  ContractOverride: object(
    {},
    { contractId: text, archived: flag, createArguments: {}, createdEventBlob: text },
  ),
  /**
   * A `JsCommands` of the Ledger API, in which only `commands` is required. `participant`: the name of the submitting
   * participant. `time`: the network's time moves to it first. In texts, `{{0.created.0}}` is replaced by the id of a
   * contract that an earlier step created.
   */
  StepToSimulate: object(
    { commands: list(anyObject) },
    {
      actAs: list(text),
      readAs: list(text),
      participant: text,
      time,
      commandId: text,
      userId: text,
      workflowId: text,
      submissionId: text,
      synchronizerId: text,
      disclosedContracts: list(anyObject),
      packageIdSelectionPreference: list(text),
      prefetchContractKeys: list(anyObject),
      deduplicationPeriod: anyObject,
      minLedgerTimeAbs: text,
      minLedgerTimeRel: anyObject,
      tapsMaxPasses: integer,
    },
  ),
  /** `offset`: the offset of its completion at the submitting participant. */
  Submitted: object({ participant: text, updateId: text, offset: integer }),
  /** `version` is 1: it increases when an existing member changes its meaning. */
  Simulation: object({
    version: integer,
    outcome: oneOf('accepted', 'refused', 'waiting'),
    time,
    steps: list(message('SimulatedStep')),
  }),
  SimulatedStep: object(
    {
      outcome: oneOf('accepted', 'refused', 'waiting'),
      participant: text,
      actAs: list(text),
      readAs: list(text),
      time,
      created: list(message('SimulatedContract')),
      archived: list(message('SimulatedContract')),
      returned: list(message('SimulatedResult')),
      moved: list(object({ contractId: text, source: text, target: text })),
      witnesses: list(message('SimulatedWitness')),
      missing: list(object({ parties: list(text), node: integer })),
    },
    {
      synchronizerId: text,
      cost: object({ bytes: integer }, { available: integer }),
      error: message('SimulatedRefusal'),
      trace: message('Trace'),
    },
  ),
  SimulatedContract: object({
    contractId: text,
    template: text,
    templateId: text,
    payload: {},
    signatories: list(text),
    observers: list(text),
  }),
  SimulatedResult: object({ contractId: text }, { choice: text, result: {} }),
  SimulatedWitness: object({
    party: text,
    participants: list(text),
    created: list(text),
    exercised: list(object({ contractId: text, choice: text, consuming: flag })),
  }),
  SimulatedRefusal: object({
    code: text,
    cause: text,
    category: integer,
    grpcCode: integer,
    context: byName(text),
    resources: list(list(text)),
    reasons: list(text),
  }),
};
