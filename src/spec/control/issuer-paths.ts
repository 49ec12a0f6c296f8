/**
 * The built-in token issuer in the document of the controls. It uses OAuth 2.0 and OpenID Connect with forms, so it has
 * no rows of operations.
 */
type Json = Record<string, unknown>;

const text = { type: 'string' };
const answered = (description: string, schema: Json): Json => ({
  description,
  content: { 'application/json': { schema } },
});
const anObject = (properties: Record<string, Json>, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required: [...required] }),
});
const error = anObject({ error: text, error_description: text }, ['error']);

export const ISSUER_PATHS: Readonly<Record<string, Record<string, Json>>> = {
  '/v1/issuer/.well-known/openid-configuration': {
    get: {
      operationId: 'getIssuerConfiguration',
      summary:
        'Where the built-in issuer gives tokens and has its keys (OpenID Connect Discovery).',
      responses: {
        200: answered(
          'Its endpoints.',
          anObject({ issuer: text, token_endpoint: text, jwks_uri: text }),
        ),
      },
    },
  },
  '/v1/issuer/jwks': {
    get: {
      operationId: 'getIssuerKeys',
      summary: 'The public key of the built-in issuer, as a JWK set.',
      responses: {
        200: answered(
          'Its key.',
          anObject({ keys: { type: 'array', items: { type: 'object' } } }, ['keys']),
        ),
      },
    },
  },
  '/v1/issuer/token': {
    post: {
      operationId: 'getIssuerToken',
      summary:
        'Gives a token for client credentials, or for the name and the password of a user. Anyone is who it says, unless secrets were configured.',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: anObject(
              {
                grant_type: { type: 'string', enum: ['client_credentials', 'password'] },
                client_id: text,
                client_secret: text,
                username: text,
                password: text,
                scope: text,
                audience: text,
              },
              ['grant_type'],
            ),
          },
        },
      },
      responses: {
        200: answered(
          'The token.',
          anObject(
            {
              access_token: text,
              token_type: text,
              expires_in: { type: 'integer' },
              scope: text,
            },
            ['access_token', 'token_type', 'expires_in'],
          ),
        ),
        400: answered('The grant is none of these, or nobody is named.', error),
        401: answered('The secret or the password is another.', error),
      },
    },
  },
};
