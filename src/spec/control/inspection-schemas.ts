/** The messages for pages that show the network. src/network/inspection and src/daml/describing document the fields. */
import type { JsonSchema, Schemas } from '../schema.js';
import { byName, flag, integer, list, message, object, oneOf, text, time } from './schema-parts.js';

const fields: JsonSchema = list(message('InspectedField'));
const choices: JsonSchema = list(message('InspectedChoice'));

export const inspectionSchemas: Schemas = {
  /** Newest first; `next` is `before` of the next page, absent on the last. */
  InspectedUpdates: object({ updates: list(message('InspectedUpdate')) }, { next: time }),
  /**
   * `told`: a description for people of the update and its subject; absent if Canticle has none. `refused`: a rejection
   * after sequencing, which has a completion. Immediate rejections are in the request journal.
   */
  InspectedUpdate: object(
    {
      kind: oneOf('transaction', 'reassignment', 'topology', 'refused'),
      recordTime: time,
      synchronizer: text,
      offsets: byName(integer),
      summary: list(text),
    },
    {
      updateId: text,
      submission: object({
        participant: text,
        userId: text,
        commandId: text,
        submissionId: text,
        actAs: list(text),
      }),
      error: object({ code: text, cause: text }),
      told: object({ about: text, text }),
      moves: list(message('InspectedMove')),
    },
  ),
  /** From one synchronizer to another, by their aliases. */
  InspectedMove: object({
    kind: oneOf('unassigned', 'assigned'),
    contractId: text,
    source: text,
    target: text,
    reassignmentCounter: integer,
  }),
  /** In the order of creation; `next` is the `after` of the next page, absent on the last. */
  InspectedContracts: object({ contracts: list(message('InspectedContract')) }, { next: text }),
  /**
   * `views`: of the requested interface. `participants`: those that store it; `synchronizer` of a contract in
   * flight: its target.
   */
  InspectedContract: object(
    {
      contractId: text,
      template: text,
      templateId: text,
      interfaces: list(text),
      signatories: list(text),
      observers: list(text),
      participants: list(text),
      createdAt: time,
      createdIn: text,
      state: oneOf('active', 'inFlight', 'archived'),
      synchronizer: text,
      reassignmentCounter: integer,
    },
    { payload: {}, key: {}, archivedIn: text, views: list(message('InspectedView')) },
  ),
  /** `blob`: base64, in the form of a disclosure. */
  ContractLife: object(
    {
      contract: message('InspectedContract'),
      life: list(message('ContractLifeEvent')),
      views: list(message('InspectedView')),
    },
    { blob: text },
  ),
  InspectedView: object(
    { interface: text, interfaceId: text },
    { value: {}, error: object({ code: text, cause: text }) },
  ),
  ContractLifeEvent: object(
    {
      kind: oneOf('created', 'exercised', 'archived', 'unassigned', 'assigned'),
      updateId: text,
      recordTime: time,
      nodeId: integer,
      synchronizer: text,
    },
    { choice: text, actors: list(text), reassignmentCounter: integer },
  ),
  /**
   * `state` is the `after` of the next request. The number of updates is in `updates`. The id of the newest request
   * that is not a control is in `requests`. Flags: `counting` for counted choices, `ticking` for time that advances
   * automatically.
   */
  InspectedChanges: object({
    state: text,
    time,
    updates: integer,
    requests: integer,
    counting: flag,
    ticking: flag,
  }),
  /**
   * `ledgerApi`: its URL, unless it is below the instance's URL. `mayAct`: whether the user has the rights for
   * it.
   */
  ClientAccess: object(
    { participant: text, userId: text, mayAct: flag, needsToken: flag },
    { ledgerApi: text, token: text },
  ),
  InspectedTopology: object({
    synchronizers: list(message('InspectedSynchronizer')),
    participants: list(message('InspectedParticipant')),
    parties: list(message('InspectedParty')),
  }),
  InspectedSynchronizer: object(
    {
      alias: text,
      id: text,
      physicalId: text,
      protocolVersion: integer,
      paused: flag,
      inFlight: integer,
    },
    { recordTime: time },
  ),
  /** `vetted`: ids of packages by the alias of the synchronizer. */
  InspectedParticipant: object({
    name: text,
    id: text,
    connected: list(text),
    ledgerEnd: integer,
    prunedUpTo: integer,
    vetted: byName(list(text)),
  }),
  InspectedParty: object({
    party: text,
    hosts: list(object({ participant: text, synchronizer: text, permission: text })),
  }),
  /** `sources`: the modules whose Daml source the DAR contains. */
  InspectedPackages: object({
    packages: list(
      object({
        id: text,
        name: text,
        version: text,
        languageVersion: text,
        templates: integer,
        interfaces: integer,
        sources: list(text),
      }),
    ),
  }),
  /** `sources`: the modules whose Daml source the DAR contains. */
  InspectedPackage: object({
    id: text,
    name: text,
    version: text,
    languageVersion: text,
    dependencies: list(text),
    modules: list(message('InspectedModule')),
    sources: list(text),
  }),
  InspectedModule: object({
    name: text,
    templates: list(object({ name: text, fields, implements: list(text), choices }, { key: text })),
    interfaces: list(object({ name: text, view: text, requires: list(text), choices })),
    types: list(object({ name: text, params: list(text), kind: text, fields })),
  }),
  InspectedChoice: object({ name: text, consuming: flag, argument: text, fields, result: text }),
  InspectedField: object({ name: text }, { type: text }),
  InspectedSource: object({ module: text, path: text, text }),
};
