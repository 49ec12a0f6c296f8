/** The meaning of the flags of `canticle sandbox`. Tests of the running command cover refusals. */
import { Command } from 'commander';
import { addSandboxFlags, readSandboxFlags } from '../../src/cli/sandbox-flags.js';

function parse(...argv: string[]) {
  const command = addSandboxFlags(new Command()).parse(argv, { from: 'user' });
  return readSandboxFlags(command.args[0], command.opts());
}

it('starts a bare sandbox on port 7575 by default', () => {
  expect(parse()).toEqual({
    options: { bare: true, port: 7575, offsetGaps: false },
    unused: [],
    portsFiles: [],
    quietDeprecations: false,
    log: undefined,
    verbose: false,
    shutdownStdinClose: false,
  });
});

it.each([
  [['--json-api-port=0'], { options: { port: 0 } }],
  [['--json-api-port', '65535'], { options: { port: 65_535 } }],
  [['--port', '8080'], { options: { port: 8080 }, unused: [] }],
  [
    ['--port', '6865', '--json-api-port', '6864'],
    { options: { port: 6864, grpc: { ledgerApiPort: 6865 } }, unused: [] },
  ],
  [
    ['--admin-api-port', '6866', '--ledger-api-port', '6865'],
    { options: { port: 7575, grpc: { ledgerApiPort: 6865, adminApiPort: 6866 } }, unused: [] },
  ],
  [['--load', 'alice.world'], { options: { load: 'alice.world' } }],
  [['--amulet', 'splice-amulet-0.1.14.dar'], { options: { amulet: 'splice-amulet-0.1.14.dar' } }],
  [
    ['--validator-party-hint', 'acme-validator-1'],
    { options: { validator: { partyHint: 'acme-validator-1' } } },
  ],
  [
    ['--additional-admin-user', 'ledger-api-user'],
    { options: { additionalAdminUser: 'ledger-api-user' } },
  ],
  [['--traffic-control'], { options: { trafficControl: true } }],
  [['--dev'], { options: { alphaVersionSupport: true } }],
  [['--host', '::1'], { options: { host: '::1' } }],
  [['--static-time'], { options: { clock: 'virtual' } }],
  [['--wall-clock-time'], { options: { clock: 'wall', offsetGaps: true } }],
  [['--wall-clock-time', '--no-offset-gaps'], { options: { clock: 'wall', offsetGaps: false } }],
  [['--offset-gaps'], { options: { offsetGaps: true } }],
  [
    ['--static-time', '--time', '2026-01-01T00:00:00.000001Z'],
    { options: { time: '2026-01-01T00:00:00.000001Z' } },
  ],
  [['--time', '2024-02-29T23:59:59Z'], { options: { time: '2024-02-29T23:59:59Z' } }],
  [['--seed', '0'], { options: { seed: 0 } }],
  [['--seed', '9007199254740991'], { options: { seed: Number.MAX_SAFE_INTEGER } }],
  [['--dar', 'a.dar', '--dar', 'b.dar'], { options: { dars: ['a.dar', 'b.dar'] } }],
  [['--dar', 'a.dar,b.dar'], { options: { dars: ['a.dar', 'b.dar'] } }],
  [
    ['--allow-origin', 'https://a.example,,https://b.example'],
    { options: { allowOrigins: ['https://a.example', 'https://b.example'] } },
  ],
  [['--port-file', 'p', '--canton-port-file', 'c'], { portsFiles: ['p', 'c'] }],
  [['--json-api-port-file', 'j'], { jsonApiPortFile: 'j' }],
  [['--seed', '1', 'world.yaml'], { options: { seed: 1, scenario: 'world.yaml' } }],
  [['--shutdown-stdin-close'], { shutdownStdinClose: true }],
  [['--api-version', '3.4'], { options: { apiVersion: '3.4' } }],
  [['--multi-sync'], { options: { ports: { sandbox: 7575, pebblebox: 8575, sidebox: 9575 } } }],
  [['--request-timeout', '500'], { options: { requestTimeout: 500 } }],
  [['--interpretation-timeout', '500'], { options: { interpretationTimeout: 500 } }],
  [['--enable-verbose-hashing'], { options: { enableVerboseHashing: true } }],
  [
    ['--auth', 'unsafe-jwt-hmac-256=unsafe', '--target-audience', 'https://canton.network.global'],
    {
      options: {
        auth: {
          services: [
            {
              type: 'unsafe-jwt-hmac-256',
              secret: 'unsafe',
              targetAudience: 'https://canton.network.global',
            },
          ],
        },
      },
    },
  ],
  [
    [
      '--auth',
      'built-in-issuer',
      '--auth',
      'jwt-jwks=http://127.0.0.1:1/jwks',
      '--admin-token',
      'a',
      '--admin-claim',
      '--act-as-any-party-claim',
      '--max-token-life',
      '300',
      '--privileged',
      '--access-level',
      'Admin',
      '--target-scope',
      's',
    ],
    {
      options: {
        auth: {
          services: [
            { type: 'built-in-issuer', targetScope: 's', privileged: true, accessLevel: 'Admin' },
            {
              type: 'jwt-jwks',
              url: 'http://127.0.0.1:1/jwks',
              targetScope: 's',
              privileged: true,
              accessLevel: 'Admin',
            },
          ],
          adminToken: 'a',
          adminClaim: true,
          actAsAnyPartyClaim: true,
          maxTokenLife: 300,
        },
      },
    },
  ],
])('%j', (argv, expected) => {
  expect(parse(...argv)).toMatchObject(expected);
});

it('accepts protocol versions 34, 35 and 36 only (B-ID-028)', () => {
  const speaking = (version: string) => {
    const silent = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    const command = addSandboxFlags(silent).parse(['--protocol-version', version], {
      from: 'user',
    });
    return readSandboxFlags(command.args[0], command.opts()).options.protocolVersion;
  };
  expect(['34', '35', '36'].map(speaking)).toEqual([34, 35, 36]);
  for (const version of ['33', '37', 'dev']) expect(() => speaking(version)).toThrow('34, 35, 36');
});

it('prints the default of each option in its help, with the environment variable that sets it', () => {
  const help = addSandboxFlags(new Command()).configureHelp({ helpWidth: 1000 }).helpInformation();
  const textOf = (flag: string): string => new RegExp(`${flag} .*`).exec(help)?.[0] ?? '';
  expect(textOf('--seed')).toMatch(/bytes; 0 by default$/);
  expect(textOf('--cache')).toMatch(/; CANTICLE_CACHE or ~\/\.canticle\/cache by default$/);
  expect(textOf('--dev')).not.toContain('default');
});

it.each([
  [['--admin-token', 'secret'], '--admin-token needs --auth.'],
  [['--tls-cert', 'package.json'], '--tls-cert needs --tls-key.'],
  [
    ['--refresh'],
    'fork flags need --fork or --fork-scan. Add one of them, or remove the fork flags.',
  ],
  [['--tls-client-ca', 'package.json'], '--tls-client-ca needs --tls-cert and --tls-key.'],
])('rejects %j alone, and names the missing flag', (argv, message) => {
  expect(() => parse(...argv)).toThrow(message);
});
