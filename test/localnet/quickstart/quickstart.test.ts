/**
 * The option quickstart: the users, tokens, ports and variables of cn-quickstart's application, and the calls of its back end. A model in
 * TypeScript takes the place of its licensing DAR.
 */
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { d, definePackage, defineTemplate, startLocalnet, type Localnet } from 'canticle';
import { Client } from 'pg';
import { useLocalnet } from '../../../src/testing/jest.js';

const install = { provider: d.party, user: d.party };
const AppInstallRequest = defineTemplate({
  name: 'Licensing.AppInstall:AppInstallRequest',
  fields: install,
  signatories: ({ user }) => [user],
  observers: ({ provider }) => [provider],
  choices: (choice) => ({
    AppInstallRequest_Accept: choice({
      result: d.contractId('Licensing.AppInstall:AppInstall'),
      controllers: ({ provider }) => [provider],
      run: (update, { payload: { provider, user } }) =>
        update.create(AppInstall, { provider, user, numLicensesCreated: 0n }),
    }),
  }),
});
const AppInstall = defineTemplate({
  name: 'Licensing.AppInstall:AppInstall',
  fields: { ...install, numLicensesCreated: d.int64 },
  signatories: ({ provider, user }) => [provider, user],
  choices: (choice) => ({
    AppInstall_CreateLicense: choice({
      result: d.contractId('Licensing.License:License'),
      controllers: ({ provider }) => [provider],
      run: (update, { payload: { provider, user } }) =>
        update.create(License, { provider, user, licenseNum: 1n }),
    }),
  }),
});
const License = defineTemplate({
  name: 'Licensing.License:License',
  fields: { ...install, licenseNum: d.int64 },
  signatories: ({ provider, user }) => [provider, user],
  choices: (choice) => ({
    License_Renew: choice({
      consuming: false,
      argument: { requestId: d.text },
      result: d.contractId('Licensing.License:LicenseRenewalRequest'),
      controllers: ({ provider }) => [provider],
      run: (update, { payload }, { requestId }) =>
        update.create(LicenseRenewalRequest, { ...payload, requestId }),
    }),
  }),
});
const LicenseRenewalRequest = defineTemplate({
  name: 'Licensing.License:LicenseRenewalRequest',
  fields: { ...install, licenseNum: d.int64, requestId: d.text },
  signatories: ({ provider, user }) => [provider, user],
});
const licensing = definePackage({
  name: 'quickstart-licensing',
  version: '0.0.1',
  templates: [AppInstallRequest, AppInstall, License, LicenseRenewalRequest],
});

/** The query of the licenses with their renewals and allocations. */
const LICENSES = `
  select license.contract_id as license, renewal.payload->>'requestId' as renewal, allocation.contract_id as allocation
  from active($1) license
  left join active($2) renewal on license.payload->>'licenseNum' = renewal.payload->>'licenseNum'
    and license.payload->>'user' = renewal.payload->>'user'
  left join active($3) allocation on renewal.payload->>'requestId' = allocation.payload->'allocation'->'settlement'->'settlementRef'->>'id'
    and renewal.payload->>'user' = allocation.payload->'allocation'->'transferLeg'->>'sender'
  where license.payload->>'user' = $4 or license.payload->>'provider' = $4
  order by license.contract_id`;

const localnet = useLocalnet({
  // Prepared data folders, for all suites and runs: the first takes seconds.
  cache: join(tmpdir(), `canticle-sql-${userInfo().uid}`),
  seed: 5,
  spliceDars: false,
  quickstart: true,
  packages: [licensing],
});

const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));

/** A token of the back end, as Spring asks for it. */
async function backendToken({ quickstart, appProvider }: Localnet): Promise<string> {
  const answer = await fetch(appProvider.oauth2!.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: quickstart['AUTH_APP_PROVIDER_BACKEND_CLIENT_ID']!,
      client_secret: quickstart['AUTH_APP_PROVIDER_BACKEND_SECRET']!,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The wallet of app-user locks the fee, through its HTTP API instead of its page. @returns the id of the allocation */
async function allocated(receiver: string, id: string): Promise<string> {
  const { validator, walletUser } = localnet.appUser;
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${validator}/v0${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${localnet.appUser.token(walletUser)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { output: { allocation_cid: string } };
  };
  await post('/wallet/tap', { amount: '100.0' });
  const now = Number(localnet.network.clock.now());
  const { output } = await post('/allocations', {
    settlement: {
      ...{ executor: receiver, settlement_ref: { id }, requested_at: now - 1 },
      ...{ allocate_before: now + 3_600_000_000, settle_before: now + 7_200_000_000 },
    },
    transfer_leg_id: 'licenseFeePayment',
    transfer_leg: { receiver, amount: '10.0' },
  });
  return output.allocation_cid;
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

it('has the variables of the back end', () => {
  const { quickstart, appProvider, appUser, urls } = localnet;
  const [host, port] = appProvider.grpc!.split(':');
  const keycloak = new URL(appProvider.oauth2!.tokenUrl).port;
  expect(quickstart).toMatchObject({
    SPRING_PROFILES_ACTIVE: 'oauth2',
    LEDGER_HOST: host,
    LEDGER_PORT: port,
    REGISTRY_BASE_URI: urls.registry,
    POSTGRES_DATABASE: 'pqs-app-provider',
    POSTGRES_USERNAME: 'cnadmin',
    POSTGRES_PASSWORD: 'supersafe',
    APP_PROVIDER_PARTY: appProvider.party,
    APP_USER_PARTY: appUser.party,
    AUTH_APP_PROVIDER_ISSUER_URL: `http://keycloak.localhost:${keycloak}/realms/AppProvider`,
    AUTH_APP_USER_ISSUER_URL: `http://keycloak.localhost:${keycloak}/realms/AppUser`,
  });
  expect(localnet.hostNames).toContain('keycloak.localhost');
});

it('names one issuer in tokens and in discovery, whichever host name the client uses', async () => {
  const { quickstart, appProvider } = localnet;
  const issuer = quickstart['AUTH_APP_PROVIDER_ISSUER_URL'];
  expect(claimsOf(await backendToken(localnet))).toMatchObject({
    iss: issuer,
    sub: quickstart['AUTH_APP_PROVIDER_BACKEND_USER_ID'],
  });
  const asked = new URL(appProvider.oauth2!.tokenUrl).origin;
  const discovery = await fetch(`${asked}/realms/AppProvider/.well-known/openid-configuration`);
  expect(await discovery.json()).toMatchObject({
    issuer,
    token_endpoint: expect.stringContaining('http://keycloak.localhost:') as string,
  });
});

it('has the users that the onboarding creates, with their rights', () => {
  const rights = (node: 'appProvider' | 'appUser', id: string) =>
    localnet[node].participant.engine.users.rights(id);
  const { party } = localnet.appProvider;
  expect(rights('appProvider', '1a36eb86-4ccc-4ec6-b7b7-caa08b354989')).toEqual([
    { kind: 'CanReadAs', party },
    { kind: 'CanActAs', party },
  ]);
  expect(rights('appProvider', '0145df12-c560-40fa-bef3-caff2c5c2224')).toEqual([
    { kind: 'CanReadAs', party },
  ]);
  expect(rights('appUser', 'eecd72be-b6a6-44ed-834a-9305ad22f610')).toEqual([
    { kind: 'CanReadAs', party: localnet.appUser.party },
  ]);
});

it("runs the back end's flow: it exercises choices with its token, and reads all state by SQL", async () => {
  const { quickstart, appProvider, appUser, urls } = localnet;
  const [provider, user] = [appProvider.party, appUser.party];
  const token = await backendToken(localnet);
  const exercise = async (
    templateId: string,
    contractId: string,
    choice: string,
    choiceArgument: object,
  ) => {
    const answer = await fetch(`${appProvider.ledgerApi}/v2/commands/submit-and-wait`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        commandId: `${choice} ${contractId}`,
        actAs: [provider],
        commands: [
          {
            ExerciseCommand: {
              templateId: `#quickstart-licensing:${templateId}`,
              contractId,
              choice,
              choiceArgument,
            },
          },
        ],
      }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  };
  const client = new Client({
    host: quickstart['POSTGRES_HOST']!,
    port: Number(quickstart['POSTGRES_PORT']),
    database: quickstart['POSTGRES_DATABASE']!,
    user: quickstart['POSTGRES_USERNAME']!,
    password: quickstart['POSTGRES_PASSWORD']!,
  });
  clients.push(client);
  await client.connect();
  const active = async (name: string) =>
    (
      await client.query<{ contract_id: string; payload: unknown }>(
        'select contract_id, payload from active($1)',
        [name],
      )
    ).rows;
  const only = async (name: string) => (await active(name))[0]!.contract_id;
  const licenses = async () =>
    (
      await client.query(LICENSES, [
        'Licensing.License:License',
        'Licensing.License:LicenseRenewalRequest',
        'Splice.Api.Token.AllocationV1:Allocation',
        user,
      ])
    ).rows;

  appUser.participant.create(AppInstallRequest, { provider, user }, { actAs: user });
  expect(await active('Licensing.AppInstall:AppInstallRequest')).toMatchObject([
    { payload: { provider, user } },
  ]);
  await exercise(
    'Licensing.AppInstall:AppInstallRequest',
    await only('Licensing.AppInstall:AppInstallRequest'),
    'AppInstallRequest_Accept',
    {},
  );
  expect(await active('Licensing.AppInstall:AppInstallRequest')).toEqual([]);
  await exercise(
    'Licensing.AppInstall:AppInstall',
    await only('Licensing.AppInstall:AppInstall'),
    'AppInstall_CreateLicense',
    {},
  );
  const license = await only('Licensing.License:License');
  expect(await licenses()).toEqual([{ license, renewal: null, allocation: null }]);
  await exercise('Licensing.License:License', license, 'License_Renew', { requestId: 'renewal 1' });
  expect(await licenses()).toEqual([{ license, renewal: 'renewal 1', allocation: null }]);
  const allocation = await allocated(provider, 'renewal 1');
  expect(await licenses()).toEqual([{ license, renewal: 'renewal 1', allocation }]);
  const byId = await client.query(
    'select contract_id, payload from active($1) where contract_id = $2',
    ['Licensing.License:License', license],
  );
  expect(byId.rows).toMatchObject([
    { contract_id: license, payload: { provider, user, licenseNum: '1' } },
  ]);

  const info = await fetch(`${urls.registry}/registry/metadata/v1/info`);
  expect(await info.json()).toMatchObject({ adminId: localnet.splice.dsoParty });
});

it('refuses options that its application cannot use', async () => {
  await expect(startLocalnet({ quickstart: true, auth: 'shared-secret' })).rejects.toThrow(
    "quickstart needs the realms of cn-quickstart: set auth to 'oauth2'.",
  );
  await expect(startLocalnet({ quickstart: true, validators: ['app-user'] })).rejects.toThrow(
    'quickstart needs a validator with the name app-provider.',
  );
});

it('uses the ports of cn-quickstart with those of a LocalNet, and the variables of a given server', async () => {
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(35_012, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  if (!free) return;
  const other = await startLocalnet({
    ...{ spliceDars: false, quickstart: true, ports: 'localnet', portOffset: 30_000 },
    pqs: { url: 'postgres://me:secret@db.example/other' },
  });
  try {
    expect(other.urls.registry).toMatch(/:35012$/);
    expect(other.urls.sv).toMatch(/:35014\/api\/sv$/);
    expect(other.quickstart).toMatchObject({
      ...{
        POSTGRES_HOST: 'db.example',
        POSTGRES_PORT: '5432',
        POSTGRES_DATABASE: 'pqs-app-provider',
      },
      ...{ POSTGRES_USERNAME: 'me', POSTGRES_PASSWORD: 'secret', LEDGER_PORT: '33901' },
    });
  } finally {
    await other.close();
  }
});

it('has no variables without the option', async () => {
  const plain = await startLocalnet({ spliceDars: false });
  expect(() => plain.quickstart).toThrow('Start this LocalNet with the option quickstart.');
  await plain.close();
});
