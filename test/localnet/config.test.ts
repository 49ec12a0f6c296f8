/** One file says more of a LocalNet: its validators, their parties, users with rights, packages, holdings, prices, ports. */
import { writeFileSync } from 'node:fs';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { startLocalnet, type LocalnetOptions } from 'canticle';
import { useLocalnet } from '../../src/testing/jest.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const example = join(__dirname, '..', '..', 'examples', 'localnet', 'network.yaml');
const folder = useTemporaryFolder();

/** Of an unary call that has an empty request. */
function grpcStatus(address: string, token: string): Promise<string> {
  const path = '/com.daml.ledger.api.v2.PackageService/ListPackages';
  const session = connect(`http://${address}`);
  return new Promise<string>((resolve, reject) => {
    session.on('error', reject);
    const call = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${token}`,
    });
    const onHeaders = (headers: IncomingHttpHeaders) => {
      const status = headers['grpc-status'];
      if (status !== undefined) resolve(String(status));
    };
    call.on('response', onHeaders);
    call.on('trailers', onHeaders);
    call.on('error', reject);
    call.resume();
    call.end(Buffer.alloc(5));
  }).finally(() => session.close());
}

describe('the example configuration', () => {
  const localnet = useLocalnet({
    config: example,
    ports: 'auto',
    clock: 'virtual',
    spliceDars: false,
  });
  const bank = localnet.node('bank');
  const partyOf = (hint: string) => `${hint}::${bank.party.split('::')[1]}`;

  it('has its validators', () => {
    expect(localnet.nodes.map(({ name }) => name)).toEqual(['sv', 'app-provider', 'bank']);
    expect(bank.party).toMatch(/^bank_localnet-localparty-1::1220/);
    expect(bank.walletUser).toBe('bank');
    expect(localnet.openPorts.filter(({ port }) => port > 9000 && port < 9400)).toEqual([]);
    expect(() => localnet.appUser).toThrow("This LocalNet has no node 'app-user'");
    expect(localnet.main).toBe(localnet.appProvider);
  });

  it('has its parties and their holdings', () => {
    expect(bank.party).toHold('1000');
    expect(partyOf('treasury')).toHold('250.5');
    expect(partyOf('auditor')).toHold('0');
  });

  it('has its users and rights', async () => {
    const get = async (path: string) =>
      (await fetch(`${bank.ledgerApi}/v2/users/${path}`, {
        headers: { authorization: `Bearer ${bank.token('operator')}` },
      }).then((answer) => answer.json())) as any;
    expect((await get('teller')).user.primaryParty).toBe(partyOf('treasury'));
    expect((await get('teller/rights')).rights).toEqual([
      { kind: { CanActAs: { value: { party: partyOf('treasury') } } } },
      { kind: { CanReadAs: { value: { party: partyOf('auditor') } } } },
    ]);
  });
});

it('numbers the ports of each node from its base port in steps of 100', async () => {
  // Below those that systems give to connections, and other than those of other tests.
  const localnet = await startLocalnet({
    spliceDars: false,
    validators: ['bank'],
    basePort: 27_300,
  });
  try {
    expect(localnet.openPorts.map(({ name, port }) => [name, port]).slice(0, 6)).toEqual([
      ['sv', 27_375],
      ['sv/validator', 27_303],
      ['sv/ui', 27_300],
      ['bank', 27_475],
      ['bank/validator', 27_403],
      ['bank/ui', 27_400],
    ]);
    expect(localnet.node('bank').grpc).toBe('127.0.0.1:27401');
    expect(localnet.node('bank').grpcAdmin).toBe('127.0.0.1:27402');
    // Each node takes its users' tokens there too.
    const statuses = [localnet.node('bank').token(), 'nobody'].map((token) =>
      grpcStatus('127.0.0.1:27401', token),
    );
    expect(await Promise.all(statuses)).toEqual(['0', '16']);
  } finally {
    await localnet.close();
  }
});

it('accepts a number of validators, which starts with the two of a LocalNet', async () => {
  const localnet = await startLocalnet({ spliceDars: false, validators: 3 });
  await localnet.close();
  expect(localnet.nodes.map(({ name }) => name)).toEqual([
    'sv',
    'app-provider',
    'app-user',
    'validator-3',
  ]);
});

describe.each<[what: string, options: unknown, message: string]>([
  [
    'an unknown option',
    { validator: ['bank'] },
    'Failed to create a Canticle: unknown option: validator. Did you mean validators?',
  ],
  [
    'an unknown right',
    { validators: [{ name: 'bank', users: [{ id: 'teller', rights: ['CanAct'] }] }] },
    "Failed to create a Canticle: rights[0] cannot be 'CanAct'. Expected one of 'CanActAs', 'CanReadAs'",
  ],
  [
    'a right without a party',
    { validators: [{ name: 'bank', users: [{ id: 'teller', rights: ['CanActAs'] }] }] },
    'The right CanActAs of user teller needs a party',
  ],
  [
    'an unknown party',
    { validators: [{ name: 'bank', users: [{ id: 'teller', primaryParty: 'till' }] }] },
    "This LocalNet has no party 'till'. Its parties are sv, bank.",
  ],
  [
    'two validators with the same name',
    { validators: ['bank', 'bank'] },
    'Failed to create a Canticle: two validators have the name bank.',
  ],
  [
    'a package for an unknown node',
    { validators: ['bank'], packages: [{ dar: 'x.dar', uploadTo: ['shop'] }] },
    "uploadTo of a package names 'shop', which is not a node of this LocalNet. Use one of sv, bank.",
  ],
  [
    'a name for an unknown wallet',
    { validators: [{ name: 'bank', users: [{ id: 'teller', names: ['till'] }] }] },
    'The name till needs a wallet, but user teller has none. Set wallet: true',
  ],
  [
    'an invalid name',
    { validators: [{ name: 'bank', names: [{ name: 'till', owner: 'teller' }] }] },
    'unknown option of a name: owner',
  ],
  ['an invalid amount', { validators: [{ name: 'bank', holds: '1e3' }] }, "holds cannot be '1e3'"],
])('%s', (_, options, message) => {
  it('is rejected, as an option and in a file', async () => {
    const given = { spliceDars: false, ...(options as object) } as LocalnetOptions;
    await expect(startLocalnet(given)).rejects.toThrow(message);
    const config = join(folder(), 'network.json');
    writeFileSync(config, JSON.stringify(options));
    await expect(startLocalnet({ spliceDars: false, config })).rejects.toThrow(
      message.replace(/^Failed to create a Canticle: /, ''),
    );
  });
});

it('names the file that it cannot read', async () => {
  const config = join(folder(), 'none.yaml');
  await expect(startLocalnet({ config })).rejects.toThrow(
    `Failed to read the LocalNet's file '${config}'`,
  );
  writeFileSync(config, 'validators: [');
  await expect(startLocalnet({ config })).rejects.toThrow(
    `Failed to read the LocalNet's file '${config}'`,
  );
});
