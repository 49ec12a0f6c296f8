/**
 * The validator's API: its own users, parties and preapprovals, and the operations that it passes on to Scan, with
 * Scan's messages.
 */
import { apiOf, carried, type ApiFacts } from '../api.js';
import { scan } from '../scan/index.js';
import { health } from './health.js';

export const validator: ApiFacts = apiOf(
  {
    api: 'validator',
    openapi: '3.0.0',
    title: 'Validator API',
    version: '0.0.1',
    basePath: '/api/validator',
  },
  () => [
    { schemas: scan.schemas },
    { operations: health() },
    ...Object.values(carried(require('../facts/validator.json') as object)),
  ],
);
