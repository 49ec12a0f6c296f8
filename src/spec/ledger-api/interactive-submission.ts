// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  CostEstimation: {
    type: 'object',
    required: [
      'confirmationRequestTrafficCostEstimation',
      'confirmationResponseTrafficCostEstimation',
      'totalTrafficCostEstimation',
      'estimationTimestamp',
    ],
    properties: {
      estimationTimestamp: { type: 'string' },
      confirmationRequestTrafficCostEstimation: { type: 'integer', format: 'int64' },
      confirmationResponseTrafficCostEstimation: { type: 'integer', format: 'int64' },
      totalTrafficCostEstimation: { type: 'integer', format: 'int64' },
    },
  },
  CostEstimationHints: {
    type: 'object',
    properties: {
      disabled: { type: 'boolean' },
      expectedSignatures: {
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'SIGNING_ALGORITHM_SPEC_UNSPECIFIED',
            'SIGNING_ALGORITHM_SPEC_ED25519',
            'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
            'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384',
          ],
        },
      },
    },
  },
  DeduplicationDuration2: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Duration' } },
  },
  DeduplicationOffset2: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer', format: 'int64' } },
  },
  DeduplicationPeriod2: {
    oneOf: [
      {
        type: 'object',
        required: ['DeduplicationDuration'],
        properties: {
          DeduplicationDuration: { $ref: '#/components/schemas/DeduplicationDuration2' },
        },
      },
      {
        type: 'object',
        required: ['DeduplicationOffset'],
        properties: { DeduplicationOffset: { $ref: '#/components/schemas/DeduplicationOffset2' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty10' } },
      },
    ],
  },
  Empty10: { type: 'object' },
  Empty9: { type: 'object' },
  ExecuteSubmissionAndWaitResponse: {
    type: 'object',
    required: ['updateId', 'completionOffset'],
    properties: {
      updateId: { type: 'string' },
      completionOffset: { type: 'integer', format: 'int64' },
    },
  },
  ExecuteSubmissionResponse: { type: 'object' },
  GetPreferredPackageVersionResponse: {
    type: 'object',
    properties: { packagePreference: { $ref: '#/components/schemas/PackagePreference' } },
  },
  GetPreferredPackagesRequest: {
    type: 'object',
    required: ['packageVettingRequirements'],
    properties: {
      packageVettingRequirements: {
        type: 'array',
        items: { $ref: '#/components/schemas/PackageVettingRequirement' },
      },
      synchronizerId: { type: 'string' },
      vettingValidAt: { type: 'string' },
    },
  },
  GetPreferredPackagesResponse: {
    type: 'object',
    required: ['synchronizerId', 'packageReferences'],
    properties: {
      packageReferences: {
        type: 'array',
        items: { $ref: '#/components/schemas/PackageReference' },
      },
      synchronizerId: { type: 'string' },
    },
  },
  JsExecuteSubmissionAndWaitForTransactionRequest: {
    type: 'object',
    required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
    properties: {
      preparedTransaction: { type: 'string' },
      partySignatures: { $ref: '#/components/schemas/PartySignatures' },
      deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
      submissionId: { type: 'string' },
      userId: { type: 'string' },
      hashingSchemeVersion: {
        type: 'string',
        enum: [
          'HASHING_SCHEME_VERSION_UNSPECIFIED',
          'HASHING_SCHEME_VERSION_V2',
          'HASHING_SCHEME_VERSION_V3',
        ],
      },
      minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
    },
  },
  JsExecuteSubmissionAndWaitForTransactionResponse: {
    type: 'object',
    required: ['transaction'],
    properties: { transaction: { $ref: '#/components/schemas/JsTransaction' } },
  },
  JsExecuteSubmissionAndWaitRequest: {
    type: 'object',
    required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
    properties: {
      preparedTransaction: { type: 'string' },
      partySignatures: { $ref: '#/components/schemas/PartySignatures' },
      deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
      submissionId: { type: 'string' },
      userId: { type: 'string' },
      hashingSchemeVersion: {
        type: 'string',
        enum: [
          'HASHING_SCHEME_VERSION_UNSPECIFIED',
          'HASHING_SCHEME_VERSION_V2',
          'HASHING_SCHEME_VERSION_V3',
        ],
      },
      minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
    },
  },
  JsExecuteSubmissionRequest: {
    type: 'object',
    required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
    properties: {
      preparedTransaction: { type: 'string' },
      partySignatures: { $ref: '#/components/schemas/PartySignatures' },
      deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
      submissionId: { type: 'string' },
      userId: { type: 'string' },
      hashingSchemeVersion: {
        type: 'string',
        enum: [
          'HASHING_SCHEME_VERSION_UNSPECIFIED',
          'HASHING_SCHEME_VERSION_V2',
          'HASHING_SCHEME_VERSION_V3',
        ],
      },
      minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
    },
  },
  JsPrepareSubmissionRequest: {
    type: 'object',
    required: ['commandId', 'commands', 'actAs'],
    properties: {
      userId: { type: 'string' },
      commandId: { type: 'string' },
      commands: { type: 'array', items: { $ref: '#/components/schemas/Command' } },
      minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      actAs: { type: 'array', items: { type: 'string' } },
      readAs: { type: 'array', items: { type: 'string' } },
      disclosedContracts: {
        type: 'array',
        items: { $ref: '#/components/schemas/DisclosedContract' },
      },
      synchronizerId: { type: 'string' },
      packageIdSelectionPreference: { type: 'array', items: { type: 'string' } },
      verboseHashing: { type: 'boolean' },
      prefetchContractKeys: {
        type: 'array',
        items: { $ref: '#/components/schemas/PrefetchContractKey' },
      },
      maxRecordTime: { type: 'string' },
      estimateTrafficCost: { $ref: '#/components/schemas/CostEstimationHints' },
      tapsMaxPasses: { type: 'integer', format: 'int32' },
      hashingSchemeVersion: {
        type: 'string',
        enum: [
          'HASHING_SCHEME_VERSION_UNSPECIFIED',
          'HASHING_SCHEME_VERSION_V2',
          'HASHING_SCHEME_VERSION_V3',
        ],
      },
    },
  },
  JsPrepareSubmissionResponse: {
    type: 'object',
    required: ['preparedTransaction', 'preparedTransactionHash', 'hashingSchemeVersion'],
    properties: {
      preparedTransaction: { type: 'string' },
      preparedTransactionHash: { type: 'string' },
      hashingSchemeVersion: {
        type: 'string',
        enum: [
          'HASHING_SCHEME_VERSION_UNSPECIFIED',
          'HASHING_SCHEME_VERSION_V2',
          'HASHING_SCHEME_VERSION_V3',
        ],
      },
      hashingDetails: { type: 'string' },
      costEstimation: { $ref: '#/components/schemas/CostEstimation' },
    },
  },
  MinLedgerTime: { type: 'object', properties: { time: { $ref: '#/components/schemas/Time' } } },
  MinLedgerTimeAbs: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'string' } },
  },
  MinLedgerTimeRel: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Duration' } },
  },
  PackagePreference: {
    type: 'object',
    required: ['synchronizerId', 'packageReference'],
    properties: {
      packageReference: { $ref: '#/components/schemas/PackageReference' },
      synchronizerId: { type: 'string' },
    },
  },
  PackageReference: {
    type: 'object',
    required: ['packageId', 'packageName', 'packageVersion'],
    properties: {
      packageId: { type: 'string' },
      packageName: { type: 'string' },
      packageVersion: { type: 'string' },
    },
  },
  PackageVettingRequirement: {
    type: 'object',
    required: ['packageName', 'parties'],
    properties: {
      parties: { type: 'array', items: { type: 'string' } },
      packageName: { type: 'string' },
    },
  },
  PartySignatures: {
    type: 'object',
    required: ['signatures'],
    properties: {
      signatures: { type: 'array', items: { $ref: '#/components/schemas/SinglePartySignatures' } },
    },
  },
  SinglePartySignatures: {
    type: 'object',
    required: ['party', 'signatures'],
    properties: {
      party: { type: 'string' },
      signatures: { type: 'array', items: { $ref: '#/components/schemas/Signature' } },
    },
  },
  Time: {
    oneOf: [
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty9' } },
      },
      {
        type: 'object',
        required: ['MinLedgerTimeAbs'],
        properties: { MinLedgerTimeAbs: { $ref: '#/components/schemas/MinLedgerTimeAbs' } },
      },
      {
        type: 'object',
        required: ['MinLedgerTimeRel'],
        properties: { MinLedgerTimeRel: { $ref: '#/components/schemas/MinLedgerTimeRel' } },
      },
    ],
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'CostEstimationHints',
    since: '3.6',
    schema: {
      type: 'object',
      properties: {
        disabled: { type: 'boolean' },
        expectedSignatures: {
          type: 'array',
          items: {
            type: 'string',
            enum: [
              'SIGNING_ALGORITHM_SPEC_UNSPECIFIED',
              'SIGNING_ALGORITHM_SPEC_ED25519',
              'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
              'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384',
              'SIGNING_ALGORITHM_SPEC_ML_DSA_65',
            ],
          },
        },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionAndWaitForTransactionRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: ['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2'],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
        transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionAndWaitForTransactionRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: [
            'HASHING_SCHEME_VERSION_UNSPECIFIED',
            'HASHING_SCHEME_VERSION_V2',
            'HASHING_SCHEME_VERSION_V3',
            'HASHING_SCHEME_VERSION_V4',
          ],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
        transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionAndWaitRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: ['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2'],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionAndWaitRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: [
            'HASHING_SCHEME_VERSION_UNSPECIFIED',
            'HASHING_SCHEME_VERSION_V2',
            'HASHING_SCHEME_VERSION_V3',
            'HASHING_SCHEME_VERSION_V4',
          ],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: ['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2'],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      },
    },
  },
  {
    name: 'JsExecuteSubmissionRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'partySignatures', 'submissionId', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        partySignatures: { $ref: '#/components/schemas/PartySignatures' },
        deduplicationPeriod: { $ref: '#/components/schemas/DeduplicationPeriod2' },
        submissionId: { type: 'string' },
        userId: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: [
            'HASHING_SCHEME_VERSION_UNSPECIFIED',
            'HASHING_SCHEME_VERSION_V2',
            'HASHING_SCHEME_VERSION_V3',
            'HASHING_SCHEME_VERSION_V4',
          ],
        },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
      },
    },
  },
  {
    name: 'JsPrepareSubmissionRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['commandId', 'commands', 'actAs'],
      properties: {
        userId: { type: 'string' },
        commandId: { type: 'string' },
        commands: { type: 'array', items: { $ref: '#/components/schemas/Command' } },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
        actAs: { type: 'array', items: { type: 'string' } },
        readAs: { type: 'array', items: { type: 'string' } },
        disclosedContracts: {
          type: 'array',
          items: { $ref: '#/components/schemas/DisclosedContract' },
        },
        synchronizerId: { type: 'string' },
        packageIdSelectionPreference: { type: 'array', items: { type: 'string' } },
        verboseHashing: { type: 'boolean' },
        prefetchContractKeys: {
          type: 'array',
          items: { $ref: '#/components/schemas/PrefetchContractKey' },
        },
        maxRecordTime: { type: 'string' },
        estimateTrafficCost: { $ref: '#/components/schemas/CostEstimationHints' },
        tapsMaxPasses: { type: 'integer', format: 'int32' },
      },
    },
  },
  {
    name: 'JsPrepareSubmissionRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['commandId', 'commands', 'actAs'],
      properties: {
        userId: { type: 'string' },
        commandId: { type: 'string' },
        commands: { type: 'array', items: { $ref: '#/components/schemas/Command' } },
        minLedgerTime: { $ref: '#/components/schemas/MinLedgerTime' },
        actAs: { type: 'array', items: { type: 'string' } },
        readAs: { type: 'array', items: { type: 'string' } },
        disclosedContracts: {
          type: 'array',
          items: { $ref: '#/components/schemas/DisclosedContract' },
        },
        synchronizerId: { type: 'string' },
        packageIdSelectionPreference: { type: 'array', items: { type: 'string' } },
        verboseHashing: { type: 'boolean' },
        prefetchContractKeys: {
          type: 'array',
          items: { $ref: '#/components/schemas/PrefetchContractKey' },
        },
        maxRecordTime: { type: 'string' },
        estimateTrafficCost: { $ref: '#/components/schemas/CostEstimationHints' },
        tapsMaxPasses: { type: 'integer', format: 'int32' },
        hashingSchemeVersion: {
          type: 'string',
          enum: [
            'HASHING_SCHEME_VERSION_UNSPECIFIED',
            'HASHING_SCHEME_VERSION_V2',
            'HASHING_SCHEME_VERSION_V3',
            'HASHING_SCHEME_VERSION_V4',
          ],
        },
      },
    },
  },
  {
    name: 'JsPrepareSubmissionResponse',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'preparedTransactionHash', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        preparedTransactionHash: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: ['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2'],
        },
        hashingDetails: { type: 'string' },
        costEstimation: { $ref: '#/components/schemas/CostEstimation' },
      },
    },
  },
  {
    name: 'JsPrepareSubmissionResponse',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['preparedTransaction', 'preparedTransactionHash', 'hashingSchemeVersion'],
      properties: {
        preparedTransaction: { type: 'string' },
        preparedTransactionHash: { type: 'string' },
        hashingSchemeVersion: {
          type: 'string',
          enum: [
            'HASHING_SCHEME_VERSION_UNSPECIFIED',
            'HASHING_SCHEME_VERSION_V2',
            'HASHING_SCHEME_VERSION_V3',
            'HASHING_SCHEME_VERSION_V4',
          ],
        },
        hashingDetails: { type: 'string' },
        costEstimation: { $ref: '#/components/schemas/CostEstimation' },
      },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2Interactive-submissionPrepare',
    method: 'post',
    path: '/v2/interactive-submission/prepare',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsPrepareSubmissionRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsPrepareSubmissionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Interactive-submissionExecute',
    method: 'post',
    path: '/v2/interactive-submission/execute',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsExecuteSubmissionRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ExecuteSubmissionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Interactive-submissionExecuteandwait',
    method: 'post',
    path: '/v2/interactive-submission/executeAndWait',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsExecuteSubmissionAndWaitRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ExecuteSubmissionAndWaitResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Interactive-submissionExecuteandwaitfortransaction',
    method: 'post',
    path: '/v2/interactive-submission/executeAndWaitForTransaction',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/JsExecuteSubmissionAndWaitForTransactionRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsExecuteSubmissionAndWaitForTransactionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2Interactive-submissionPreferred-package-version',
    method: 'get',
    path: '/v2/interactive-submission/preferred-package-version',
    parameters: [
      { name: 'parties', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'package-name', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'vetting_valid_at', in: 'query', schema: { type: 'string', format: 'date-time' } },
      { name: 'synchronizer-id', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPreferredPackageVersionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    until: '3.5',
  },
  {
    operationId: 'getV2Interactive-submissionPreferred-package-version',
    method: 'get',
    path: '/v2/interactive-submission/preferred-package-version',
    deprecated: true,
    parameters: [
      { name: 'parties', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'package-name', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'vetting_valid_at', in: 'query', schema: { type: 'string', format: 'date-time' } },
      { name: 'synchronizer-id', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPreferredPackageVersionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.5',
    until: '3.6',
  },
  {
    operationId: 'postV2Interactive-submissionPreferred-packages',
    method: 'post',
    path: '/v2/interactive-submission/preferred-packages',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetPreferredPackagesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPreferredPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
