/** The JSON schema of scenario files, made of the rows: what editors complete with, and what files are checked against. */
import { EXPECTATIONS } from './expectations.js';
import { errorCode, objectSchema } from './fields.js';
import type { JsonSchema, SomeExpectation, SomeVerb } from './row.js';
import { VERBS } from './verbs.js';

const NAME: JsonSchema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const text = (description: string): JsonSchema => ({ type: 'string', pattern: '\\S', description });

/** Names of definitions, for those who compile them one by one. */
export const stepDefinition = (name: string): string => `step-${name}`;
export const expectationDefinition = (name: string): string => `expect-${name}`;

/** A row as an object: its subject under its own name, and its fields. */
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
  return rowSchema(name, verb, { ...as, refused: ref('errorCode') });
}

const repeat: JsonSchema = {
  type: 'object',
  description: 'Repeats steps.',
  required: ['repeat', 'steps'],
  properties: {
    repeat: { type: 'integer', minimum: 1, description: 'How often.' },
    index: {
      ...NAME,
      description: 'What the number of the round, from 1, is called; index by default.',
    },
    steps: ref('steps'),
  },
  additionalProperties: false,
};

const expect: JsonSchema = {
  type: 'object',
  description: 'Says what must hold now.',
  required: ['expect'],
  properties: {
    expect: {
      anyOf: [ref('expectation'), { type: 'array', minItems: 1, items: ref('expectation') }],
      description: 'An expectation, or a list of them.',
    },
  },
  additionalProperties: false,
};

/** One may stand as its name alone where nothing else is said of it. */
const nameOr = (object: JsonSchema): JsonSchema => ({ anyOf: [text('Its name.'), object] });

const strictly = (
  required: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

const synchronizer = strictly(['alias'], {
  alias: text('How participants call it.'),
  identifier: text('First part of its id; the alias by default.'),
  assignmentExclusivityTimeout: text(
    'How long only the submitter of an unassignment to it may assign, such as PT1M, the default; PT0S for not at all.',
  ),
});

const participant = strictly(['name'], {
  name: text('First part of its id.'),
  synchronizers: {
    type: 'array',
    items: { type: 'string' },
    description: 'Aliases of the synchronizers that it is connected to; all by default.',
  },
});

const authService = strictly(['type'], {
  type: {
    enum: [
      ...['unsafe-jwt-hmac-256', 'jwt-rs-256-crt', 'jwt-es-256-crt', 'jwt-es-512-crt'],
      ...['jwt-jwks', 'built-in-issuer'],
    ],
    description: 'How a token is known.',
  },
  secret: text('Of unsafe-jwt-hmac-256: what tokens are signed with, in HS256.'),
  certificate: text(
    'Of jwt-rs-256-crt and its like: path of a certificate or a public key in PEM, beside this file.',
  ),
  url: text('Of jwt-jwks: where the JSON Web Key Set is fetched.'),
  keys: text('Of jwt-jwks, instead of a url: path of a JSON Web Key Set, beside this file.'),
  targetAudience: text('Audience that a token must name.'),
  targetScope: text('Scope that a token must have.'),
  privileged: flag('Whether each such token may do what accessLevel says, whoever it names.'),
  accessLevel: {
    enum: ['Wildcard', 'Admin'],
    description: 'Of a privileged service: everything, by default, or what an administrator may.',
  },
});

const authorization = strictly(['services'], {
  services: {
    type: 'array',
    minItems: 1,
    items: ref('authService'),
    description: 'Asked in turn; the first that knows the token decides.',
  },
  adminToken: text("A token that may act as the participant's own party."),
  adminClaim: flag('Whether the admin token may do what an administrator may.'),
  actAsAnyPartyClaim: flag('Whether the admin token may act and read as any party.'),
  maxTokenLife: {
    type: 'integer',
    minimum: 0,
    description: 'Longest remaining life of a token in seconds; any by default.',
  },
});

const validator = strictly([], {
  participant: text('Name of the participant that it works at; the first one by default.'),
  partyHint: text(
    'First part of its party; without one and without a user it is the participant itself.',
  ),
  user: text("The participant's user as whom it acts; ledger-api-user by default."),
  walletUser: text('The user whose wallet is its own; the user as whom it acts by default.'),
});

function documentSchema(): JsonSchema {
  const listOf = (items: JsonSchema, description: string): JsonSchema => ({
    type: 'array',
    items,
    description,
  });
  return strictly([], {
    $schema: { type: 'string' },
    name: text('What the scenario shows.'),
    seed: { type: 'integer', minimum: 0, description: 'Same seed, same bytes. 0 by default.' },
    time: text('Where time starts, such as 2026-01-01T00:00:00Z.'),
    synchronizers: {
      ...listOf(nameOr(ref('synchronizer')), 'One, global, by default.'),
      minItems: 1,
    },
    participants: {
      ...listOf(nameOr(ref('participant')), 'One, sandbox, by default.'),
      minItems: 1,
    },
    authorization: {
      ...ref('authorization'),
      description: 'Whose tokens the Ledger API takes; everyone may do everything by default.',
    },
    validator: { ...ref('validator'), description: 'The validator that wallets ask.' },
    packages: listOf(
      text('Path of a DAR file, beside this one.'),
      'Uploaded everywhere before the first step.',
    ),
    parties: listOf(nameOr(ref(stepDefinition('party'))), 'Hosted before the first step.'),
    users: listOf(nameOr(ref(stepDefinition('user'))), 'Created before the first step.'),
    steps: ref('steps'),
  });
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
  const stepNames = [...Object.keys(VERBS), 'expect', 'repeat'];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A scenario of Canticle',
    ...documentSchema(),
    $defs: {
      steps: { type: 'array', items: ref('step'), description: 'Carried out in order.' },
      step: { type: 'object', anyOf: stepNames.map((name) => ref(stepDefinition(name))) },
      expectation: {
        type: 'object',
        anyOf: Object.keys(EXPECTATIONS).map((name) => ref(expectationDefinition(name))),
      },
      errorCode: {
        ...errorCode.schema,
        description: 'The step must be refused with this Canton error code.',
      },
      synchronizer,
      participant,
      authService,
      authorization,
      validator,
      ...Object.fromEntries(steps),
      [stepDefinition('repeat')]: repeat,
      [stepDefinition('expect')]: expect,
      ...Object.fromEntries(expectations),
    },
  };
}
