/** The validator's API: what it tells of itself, and the operations that it passes on to Scan, with Scan's messages. */
import { gather, type ApiFacts } from '../api.js';
import { scan } from '../scan/index.js';
import * as operator from './operator.js';
import * as scanProxy from './scan-proxy.js';

export const validator: ApiFacts = {
  api: 'validator',
  openapi: '3.0.0',
  title: 'Validator API',
  version: '0.0.1',
  basePath: '/api/validator',
  ...gather([{ schemas: scan.schemas }, operator, scanProxy]),
};
