/**
 * Builds the JSON schema of scenario files from the rows. Editors use it for completion, and Canticle checks files
 * against it.
 */
import { CANTICLE } from '../options/canticle.js';
import {
  AUTH,
  PARTICIPANT,
  SERVICE,
  SYNCHRONIZER,
  VALIDATOR,
  WALLET_GATEWAY,
} from '../options/parts.js';
import { described, headers, sentence, type Rows } from '../options/row.js';
import { EXPECTATIONS } from './expectations.js';
import { errorCode, objectSchema } from './fields.js';
import type { JsonSchema, SomeExpectation, SomeVerb } from './row.js';
import { VERBS } from './verbs.js';

const NAME: JsonSchema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const text = (description: string): JsonSchema => ({ type: 'string', pattern: '\\S', description });

/** Names of definitions, for code that compiles them one by one. */
export const stepDefinition = (name: string): string => `step-${name}`;
export const expectationDefinition = (name: string): string => `expect-${name}`;

/** A row as an object: its subject under the row's name, and its fields. */
function rowSchema(
  name: string,
  { summary, subject, fields }: SomeVerb | SomeExpectation,
  more: JsonSchema = {},
): JsonSchema {
  const schema = objectSchema({ [name]: subject, ...fields });
  const properties = { ...(schema.properties as object), ...more };
  return { ...schema, description: summary, properties };
}

function stepSchema(name: string, verb: SomeVerb): JsonSchema {
  const as =
    verb.result === undefined
      ? {}
      : { as: { ...NAME, description: `Gives ${verb.result} a name, for $name.` } };
  return rowSchema(name, verb, {
    ...as,
    refused: ref('errorCode'),
  });
}

const repeat: JsonSchema = {
  type: 'object',
  description: 'Repeats steps.',
  required: ['repeat', 'steps'],
  properties: {
    repeat: { type: 'integer', minimum: 1, description: 'The number of repetitions, from 1.' },
    index: {
      ...NAME,
      description: 'Name of the round number, which starts at 1; index by default.',
    },
    steps: ref('steps'),
  },
  additionalProperties: false,
};

const attempt: JsonSchema = {
  type: 'object',
  description:
    'Runs steps until the ledger rejects one, or finds no contract for `find`. The others are skipped.',
  required: ['attempt'],
  properties: {
    attempt: ref('steps'),
    refused: ref('errorCode'),
    notRefusedWith: text('The error must not contain this text.'),
  },
  additionalProperties: false,
};

const expect: JsonSchema = {
  type: 'object',
  description: 'Checks that expectations hold now.',
  required: ['expect'],
  properties: {
    expect: {
      anyOf: [ref('expectation'), { type: 'array', minItems: 1, items: ref('expectation') }],
      description: 'An expectation, or a list of them.',
    },
  },
  additionalProperties: false,
};

/** The schema of an object, or of its name alone if it has no other members. */
const nameOr = (object: JsonSchema): JsonSchema => ({ anyOf: [text('Its name.'), object] });

/** The schema of an object in a scenario's head with these rows. */
const strictly = (rows: Rows, ...required: readonly string[]): JsonSchema => ({
  type: 'object',
  required,
  properties: headerProperties(rows),
  additionalProperties: false,
});

const headerProperties = (rows: Rows): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    headers(rows).map(([key, row]) => {
      const { header, kind } = row;
      const doc = header !== true && header?.doc;
      return [key, { ...kind.schema, description: sentence(doc || described(row)) }];
    }),
  );

function documentSchema(): JsonSchema {
  const listOf = (items: JsonSchema, description: string): JsonSchema => ({
    type: 'array',
    items,
    description,
  });
  return {
    type: 'object',
    required: [],
    properties: {
      $schema: { type: 'string' },
      name: text('Title of the scenario.'),
      ...headerProperties(CANTICLE),
      packages: listOf(
        text('Path of a DAR file, relative to this file.'),
        'DARs that are uploaded everywhere before the first step.',
      ),
      parties: listOf(
        nameOr(ref(stepDefinition('party'))),
        'Parties hosted before the first step.',
      ),
      users: listOf(nameOr(ref(stepDefinition('user'))), 'Users created before the first step.'),
      steps: ref('steps'),
    },
    additionalProperties: false,
  };
}

/** The published schema. */
export function scenarioSchema(): JsonSchema {
  const steps = Object.entries(VERBS).map(([name, row]) => [
    stepDefinition(name),
    stepSchema(name, row as SomeVerb),
  ]);
  const expectations = Object.entries(EXPECTATIONS).map(([name, row]) => [
    expectationDefinition(name),
    rowSchema(name, row as SomeExpectation),
  ]);
  const stepNames = [...Object.keys(VERBS), 'expect', 'repeat', 'attempt'];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A scenario of Canticle',
    ...documentSchema(),
    $defs: {
      steps: {
        type: 'array',
        items: ref('step'),
        description: 'Steps, in the order of execution.',
      },
      step: { type: 'object', anyOf: stepNames.map((name) => ref(stepDefinition(name))) },
      expectation: {
        type: 'object',
        anyOf: Object.keys(EXPECTATIONS).map((name) => ref(expectationDefinition(name))),
      },
      errorCode: {
        ...errorCode.schema,
        description:
          'The ledger must reject the step with this Canton error code, or with any if it is ANY.',
      },
      synchronizer: strictly(SYNCHRONIZER, 'alias'),
      participant: strictly(PARTICIPANT, 'name'),
      authService: strictly(SERVICE, 'type'),
      authorization: strictly(AUTH, 'services'),
      validator: strictly(VALIDATOR),
      walletGateway: strictly(WALLET_GATEWAY),
      ...Object.fromEntries(steps),
      [stepDefinition('repeat')]: repeat,
      [stepDefinition('attempt')]: attempt,
      [stepDefinition('expect')]: expect,
      ...Object.fromEntries(expectations),
    },
  };
}
