/** The token standard's registry API: one file per official document; both versions share their messages. */
import { gather, type ApiFacts } from '../api.js';
import * as allocationInstructionV1 from './allocation-instruction-v1.js';
import * as allocationInstructionV2 from './allocation-instruction-v2.js';
import * as allocationV1 from './allocation-v1.js';
import * as allocationV2 from './allocation-v2.js';
import * as metadataV1 from './metadata-v1.js';
import * as transferInstructionV1 from './transfer-instruction-v1.js';
import * as transferInstructionV2 from './transfer-instruction-v2.js';

export const registry: ApiFacts = {
  api: 'registry',
  openapi: '3.0.0',
  title: 'Token standard registry API',
  version: '2.0.0',
  basePath: '',
  ...gather([
    metadataV1,
    transferInstructionV1,
    transferInstructionV2,
    allocationInstructionV1,
    allocationV1,
    allocationInstructionV2,
    allocationV2,
  ]),
};
