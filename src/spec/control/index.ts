/** Canticle's controls, under `/canticle`: snapshots, time, migrations, reward rounds and the request journal. */
import type { ApiFacts } from '../api.js';
import { operations } from './operations.js';
import { schemas } from './schemas.js';

export const control: ApiFacts = {
  api: 'control',
  openapi: '3.0.3',
  title: 'Canticle controls',
  version: '1.0.0',
  basePath: '/canticle',
  schemas,
  operations,
};
