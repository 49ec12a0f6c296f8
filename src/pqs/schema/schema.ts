/** All statements that make an empty database one of PQS. */
import { APPENDING } from './appending.js';
import { changing } from './changing.js';
import { SCHEMA_OF, type PqsVersion } from './columns.js';
import { READING } from './reading.js';
import { TABLES_AND_TYPES } from './tables.js';

export const schemaSql = (version: PqsVersion): string =>
  TABLES_AND_TYPES + READING + changing(SCHEMA_OF[version].printsIndexes) + APPENDING;
