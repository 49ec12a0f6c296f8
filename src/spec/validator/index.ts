/**
 * The validator's API: its own users, parties and preapprovals, and the operations that it passes on to Scan, with
 * Scan's messages.
 */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';
import { scan } from '../scan/index.js';
import { health } from './health.js';

export const validator = perRelease((version) =>
  apiOf(
    {
      api: 'validator',
      openapi: '3.0.0',
      title: 'Validator API',
      version: '0.0.1',
      basePath: '/api/validator',
    },
    () => [
      { schemas: scan(version).schemas },
      { operations: health(version) },
      ...servicesIn('validator', version, () => require('../facts/validator.json')),
    ],
  ),
);
