// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AssignCommand: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/AssignCommand1' } },
  },
  AssignCommand1: {
    type: 'object',
    required: ['reassignmentId', 'source', 'target'],
    properties: {
      reassignmentId: { type: 'string' },
      source: { type: 'string' },
      target: { type: 'string' },
    },
  },
  Command: {
    oneOf: [
      {
        type: 'object',
        required: ['CreateAndExerciseCommand'],
        properties: {
          CreateAndExerciseCommand: { $ref: '#/components/schemas/CreateAndExerciseCommand' },
        },
      },
      {
        type: 'object',
        required: ['CreateCommand'],
        properties: { CreateCommand: { $ref: '#/components/schemas/CreateCommand' } },
      },
      {
        type: 'object',
        required: ['ExerciseByKeyCommand'],
        properties: { ExerciseByKeyCommand: { $ref: '#/components/schemas/ExerciseByKeyCommand' } },
      },
      {
        type: 'object',
        required: ['ExerciseCommand'],
        properties: { ExerciseCommand: { $ref: '#/components/schemas/ExerciseCommand' } },
      },
    ],
  },
  Command1: {
    oneOf: [
      {
        type: 'object',
        required: ['AssignCommand'],
        properties: { AssignCommand: { $ref: '#/components/schemas/AssignCommand' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty2' } },
      },
      {
        type: 'object',
        required: ['UnassignCommand'],
        properties: { UnassignCommand: { $ref: '#/components/schemas/UnassignCommand' } },
      },
    ],
  },
  Completion: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Completion1' } },
  },
  Completion1: {
    type: 'object',
    required: ['commandId', 'userId', 'offset', 'actAs', 'synchronizerTime'],
    properties: {
      commandId: { type: 'string' },
      status: { $ref: '#/components/schemas/JsStatus' },
      updateId: { type: 'string' },
      userId: { type: 'string' },
      actAs: { type: 'array', items: { type: 'string' } },
      submissionId: { type: 'string' },
      deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod1' },
      traceContext: { $ref: '#/components/schemas/TraceContext' },
      offset: { type: 'integer', format: 'int64' },
      synchronizerTime: { $ref: '#/components/schemas/SynchronizerTime' },
      paidTrafficCost: { type: 'integer', format: 'int64' },
    },
  },
  CompletionResponse: {
    oneOf: [
      {
        type: 'object',
        required: ['Completion'],
        properties: { Completion: { $ref: '#/components/schemas/Completion' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty4' } },
      },
      {
        type: 'object',
        required: ['OffsetCheckpoint'],
        properties: { OffsetCheckpoint: { $ref: '#/components/schemas/OffsetCheckpoint' } },
      },
    ],
  },
  CompletionStreamRequest: {
    type: 'object',
    required: ['parties'],
    properties: {
      userId: { type: 'string' },
      parties: { type: 'array', items: { type: 'string' } },
      beginExclusive: { type: 'integer', format: 'int64' },
    },
  },
  CompletionStreamResponse: {
    type: 'object',
    properties: { completionResponse: { $ref: '#/components/schemas/CompletionResponse' } },
  },
  CreateAndExerciseCommand: {
    type: 'object',
    required: ['templateId', 'createArguments', 'choice', 'choiceArgument'],
    properties: {
      templateId: { type: 'string' },
      createArguments: {},
      choice: { type: 'string' },
      choiceArgument: {},
    },
  },
  CreateCommand: {
    type: 'object',
    required: ['templateId', 'createArguments'],
    properties: { templateId: { type: 'string' }, createArguments: {} },
  },
  DeduplicationDuration: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Duration' } },
  },
  DeduplicationDuration1: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Duration' } },
  },
  DeduplicationOffset: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer', format: 'int64' } },
  },
  DeduplicationOffset1: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer', format: 'int64' } },
  },
  DeduplicationPeriod: {
    oneOf: [
      {
        type: 'object',
        required: ['DeduplicationDuration'],
        properties: {
          DeduplicationDuration: { $ref: '#/components/schemas/DeduplicationDuration' },
        },
      },
      {
        type: 'object',
        required: ['DeduplicationOffset'],
        properties: { DeduplicationOffset: { $ref: '#/components/schemas/DeduplicationOffset' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty' } },
      },
    ],
  },
  DeduplicationPeriod1: {
    oneOf: [
      {
        type: 'object',
        required: ['DeduplicationDuration'],
        properties: {
          DeduplicationDuration: { $ref: '#/components/schemas/DeduplicationDuration1' },
        },
      },
      {
        type: 'object',
        required: ['DeduplicationOffset'],
        properties: { DeduplicationOffset: { $ref: '#/components/schemas/DeduplicationOffset1' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty3' } },
      },
    ],
  },
  DisclosedContract: {
    type: 'object',
    required: ['createdEventBlob'],
    properties: {
      templateId: { type: 'string' },
      contractId: { type: 'string' },
      createdEventBlob: { type: 'string' },
      synchronizerId: { type: 'string' },
    },
  },
  Empty: { type: 'object' },
  Empty2: { type: 'object' },
  Empty3: { type: 'object' },
  Empty4: { type: 'object' },
  ExerciseByKeyCommand: {
    type: 'object',
    required: ['templateId', 'contractKey', 'choice', 'choiceArgument'],
    properties: {
      templateId: { type: 'string' },
      contractKey: {},
      choice: { type: 'string' },
      choiceArgument: {},
    },
  },
  ExerciseCommand: {
    type: 'object',
    required: ['templateId', 'contractId', 'choice', 'choiceArgument'],
    properties: {
      templateId: { type: 'string' },
      contractId: { type: 'string' },
      choice: { type: 'string' },
      choiceArgument: {},
    },
  },
  GetCompletionsRequest: {
    type: 'object',
    properties: {
      parties: { type: 'array', items: { type: 'string' } },
      beginExclusive: { type: 'integer', format: 'int64' },
    },
  },
  JsCommands: {
    type: 'object',
    required: ['commandId', 'commands', 'actAs'],
    properties: {
      commands: { type: 'array', items: { $ref: '#/components/schemas/Command' } },
      commandId: { type: 'string' },
      actAs: { type: 'array', items: { type: 'string' } },
      userId: { type: 'string' },
      readAs: { type: 'array', items: { type: 'string' } },
      workflowId: { type: 'string' },
      deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod' },
      minLedgerTimeAbs: { type: 'string' },
      minLedgerTimeRel: { $ref: '#/components/schemas/Duration' },
      submissionId: { type: 'string' },
      disclosedContracts: {
        type: 'array',
        items: { $ref: '#/components/schemas/DisclosedContract' },
      },
      synchronizerId: { type: 'string' },
      packageIdSelectionPreference: { type: 'array', items: { type: 'string' } },
      prefetchContractKeys: {
        type: 'array',
        items: { $ref: '#/components/schemas/PrefetchContractKey' },
      },
      tapsMaxPasses: { type: 'integer', format: 'int32' },
    },
  },
  JsSubmitAndWaitForReassignmentResponse: {
    type: 'object',
    required: ['reassignment'],
    properties: { reassignment: { $ref: '#/components/schemas/JsReassignment' } },
  },
  JsSubmitAndWaitForTransactionRequest: {
    type: 'object',
    required: ['commands'],
    properties: {
      commands: { $ref: '#/components/schemas/JsCommands' },
      transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
    },
  },
  JsSubmitAndWaitForTransactionResponse: {
    type: 'object',
    required: ['transaction'],
    properties: { transaction: { $ref: '#/components/schemas/JsTransaction' } },
  },
  JsSubmitAndWaitForTransactionTreeResponse: {
    type: 'object',
    properties: { transactionTree: { $ref: '#/components/schemas/JsTransactionTree' } },
  },
  OffsetCheckpoint: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/OffsetCheckpoint1' } },
  },
  PrefetchContractKey: {
    type: 'object',
    required: ['templateId', 'contractKey'],
    properties: {
      templateId: { type: 'string' },
      contractKey: {},
      limit: { type: 'integer', format: 'int32' },
    },
  },
  ReassignmentCommand: {
    type: 'object',
    properties: { command: { $ref: '#/components/schemas/Command1' } },
  },
  ReassignmentCommands: {
    type: 'object',
    required: ['commandId', 'submitter', 'commands'],
    properties: {
      workflowId: { type: 'string' },
      userId: { type: 'string' },
      commandId: { type: 'string' },
      submitter: { type: 'string' },
      submissionId: { type: 'string' },
      commands: { type: 'array', items: { $ref: '#/components/schemas/ReassignmentCommand' } },
    },
  },
  SubmitAndWaitForReassignmentRequest: {
    type: 'object',
    required: ['reassignmentCommands'],
    properties: {
      reassignmentCommands: { $ref: '#/components/schemas/ReassignmentCommands' },
      eventFormat: { $ref: '#/components/schemas/EventFormat' },
    },
  },
  SubmitAndWaitResponse: {
    type: 'object',
    required: ['updateId', 'completionOffset'],
    properties: {
      updateId: { type: 'string' },
      completionOffset: { type: 'integer', format: 'int64' },
    },
  },
  SubmitReassignmentRequest: {
    type: 'object',
    required: ['reassignmentCommands'],
    properties: { reassignmentCommands: { $ref: '#/components/schemas/ReassignmentCommands' } },
  },
  SubmitReassignmentResponse: { type: 'object' },
  SubmitResponse: { type: 'object' },
  UnassignCommand: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/UnassignCommand1' } },
  },
  UnassignCommand1: {
    type: 'object',
    required: ['contractId', 'source', 'target'],
    properties: {
      contractId: { type: 'string' },
      source: { type: 'string' },
      target: { type: 'string' },
    },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'Completion1',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['commandId', 'userId', 'offset', 'actAs', 'synchronizerTime'],
      properties: {
        commandId: { type: 'string' },
        status: { $ref: '#/components/schemas/JsStatus' },
        updateId: { type: 'string' },
        userId: { type: 'string' },
        actAs: { type: 'array', items: { type: 'string' } },
        submissionId: { type: 'string' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod1' },
        traceContext: { $ref: '#/components/schemas/TraceContext' },
        offset: { type: 'integer', format: 'int64' },
        synchronizerTime: { $ref: '#/components/schemas/SynchronizerTime' },
        paidTrafficCost: { type: 'integer', format: 'int64' },
        transactionHash: { type: 'string' },
      },
    },
  },
  {
    name: 'GetCompletionByHashRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['transactionHash'],
      properties: { transactionHash: { type: 'string' } },
    },
  },
  {
    name: 'GetCompletionByHashResponse',
    since: '3.6',
    schema: {
      type: 'object',
      properties: {
        acceptedCompletion: { $ref: '#/components/schemas/Completion1' },
        lastRejectedCompletions: {
          type: 'array',
          items: { $ref: '#/components/schemas/Completion1' },
        },
      },
    },
  },
  {
    name: 'PrefetchContractKey',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['contractKey', 'templateId'],
      properties: { templateId: { type: 'string' }, contractKey: {} },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2CommandsSubmit-and-wait',
    method: 'post',
    path: '/v2/commands/submit-and-wait',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsCommands' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/SubmitAndWaitResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsSubmit-and-wait-for-transaction',
    method: 'post',
    path: '/v2/commands/submit-and-wait-for-transaction',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsSubmitAndWaitForTransactionRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsSubmitAndWaitForTransactionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsSubmit-and-wait-for-reassignment',
    method: 'post',
    path: '/v2/commands/submit-and-wait-for-reassignment',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/SubmitAndWaitForReassignmentRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsSubmitAndWaitForReassignmentResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsSubmit-and-wait-for-transaction-tree',
    method: 'post',
    path: '/v2/commands/submit-and-wait-for-transaction-tree',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsCommands' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsSubmitAndWaitForTransactionTreeResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsAsyncSubmit',
    method: 'post',
    path: '/v2/commands/async/submit',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsCommands' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/SubmitResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsAsyncSubmit-reassignment',
    method: 'post',
    path: '/v2/commands/async/submit-reassignment',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/SubmitReassignmentRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/SubmitReassignmentResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsCompletions',
    method: 'post',
    path: '/v2/commands/completions',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/CompletionStreamRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { type: 'array', items: { $ref: '#/components/schemas/CompletionStreamResponse' } },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2CommandsCommand-completions',
    method: 'post',
    path: '/v2/commands/command-completions',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetCompletionsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { type: 'array', items: { $ref: '#/components/schemas/CompletionStreamResponse' } },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.5',
  },
  {
    operationId: 'postV2CommandsCompletion-by-hash',
    method: 'post',
    path: '/v2/commands/completion-by-hash',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetCompletionByHashRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetCompletionByHashResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.6',
  },
];
