/** An instance for browsers, here in Node: its options, its parts, and its requests. */
import { createCanticle as createInNode } from 'canticle';
import { createCanticle, loadParts, type BrowserOptions } from '../../src/browser.js';
import { partsOf } from '../../src/browser/parts.js';
import { darOf, packageOf } from '../script/script-package.js';

const create = (options: object) => createCanticle(options as BrowserOptions);

it.each([
  ['dars', { dars: [new Uint8Array(), 'model.dar'] }],
  ['amulet', { amulet: 'amulet.dar' }],
  ['amulet', { amulet: { dar: 'amulet.dar' } }],
  ['load', { load: 'world.gz' }],
  ['scenario', { scenario: 'first.yaml' }],
  ['cache', { cache: 'folder' }],
  ['cantonDocuments', { cantonDocuments: 'folder' }],
  ['faults', { faults: 'faults.yaml' }],
])('refuses a file in the option %s', async (option, options) => {
  await expect(create(options)).rejects.toThrow(
    `A browser has no files, so that canticle/browser cannot do this. Pass bytes instead of the name in the option ${option}`,
  );
});

it.each([
  ['port', 'ports', { port: 7575 }],
  ['tls', 'ports', { tls: {} }],
  ['grpc', 'gRPC', { grpc: true }],
  ['fork', 'forks', { fork: { url: 'http://127.0.0.1:7575' } }],
])('refuses the option %s, because a browser has no %s', async (option, feature, options) => {
  await expect(create(options)).rejects.toThrow(
    `A browser has no ${feature}, so that canticle/browser cannot do this. Remove the option ${option}.`,
  );
});

it.each([
  { externalCalls: { own: () => '', other: 'http://127.0.0.1:9000' } },
  { participants: ['one', { name: 'two', externalCalls: { other: { url: 'http://other' } } }] },
])('refuses external calls over HTTP, and takes functions', async (options) => {
  await expect(create(options)).rejects.toThrow(
    'A browser has no threads of Node, so that canticle/browser cannot do this. Pass functions in the option externalCalls.',
  );
  const externalCalls = { own: () => '' };
  await expect(create({ externalCalls })).resolves.toBeDefined();
});

it('serves the Wallet Gateway', async () => {
  const canticle = await create({ seed: 1, walletGateway: true });
  const body = { jsonrpc: '2.0', id: 1, method: 'status' };
  const headers = { 'content-type': 'application/json' };
  const answer = await canticle.handle({ path: '/api/v0/dapp', headers, body });
  expect(answer.json()).toMatchObject({ id: 1, result: { provider: { id: 'canticle' } } });
});

it('refuses unknown options and parts', async () => {
  await expect(create({ sede: 7 })).rejects.toThrow('sede');
  await expect(create({ parts: ['dars', 'dar', 'other'] })).rejects.toThrow(
    `'dar' is not a part. The parts are dars, amulet, scenarios, traces, worlds, wallets, apis, releases, all.`,
  );
  await expect(loadParts(['all'])).resolves.toBeUndefined();
});

it('loads the parts that its options need', () => {
  const validator = { canton: '3.4' } as never;
  expect(partsOf({ seed: 1, dars: [], scan: undefined, load: undefined })).toEqual(['dars']);
  expect(
    partsOf({ amulet: new Uint8Array(), initScript: { script: 'Main:init' }, validator }),
  ).toEqual(['amulet', 'scenarios', 'releases']);
});

it('takes the bytes of DARs', async () => {
  await expect(create({ dars: [new Uint8Array(3)] })).rejects.not.toThrow('no files');
  const dar = darOf(packageOf({}));
  const idsOf = async (options: object) => {
    const answer = await (await create(options)).handle({ path: '/v2/packages' });
    return (answer.json() as { readonly packageIds: readonly string[] }).packageIds;
  };
  expect((await idsOf({ dars: [dar] })).length).toBeGreaterThan((await idsOf({})).length);
});

it('has no ports, files and Express', async () => {
  const canticle = await create({});
  await expect(canticle.listen()).rejects.toThrow('A browser has no ports');
  expect(() => canticle.app).toThrow('A browser has no Express applications');
  expect(() => canticle.save()).toThrow('A browser has no files');
});

describe('requests', () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ partyIdHint: 'bob' });
  const request = () => new Request('http://ledger/v2/parties', { method: 'POST', headers, body });

  it('with and without a body are answered, also without `this`', async () => {
    const { fetch } = await create({ seed: 1 });
    expect((await fetch(request())).status).toBe(200);
    expect(await (await fetch(new Request('http://ledger/v2/state/ledger-end'))).json()).toEqual({
      offset: 4,
    });
    expect((await fetch(new Request('http://ledger/registry/metadata/v1/info'))).status).toBe(200);
    expect((await fetch(new Request('http://ledger/docs/openapi'))).status).toBe(200);
  });

  it('with bodies of any size are answered as in Node', async () => {
    const [{ fetch }, node] = [await create({ seed: 1 }), createInNode({ seed: 1 })];
    for (const given of ['', '7', '77', body]) {
      const sent = () => new Request(request(), { body: given });
      const [mine, nodes] = [await fetch(sent()), await node.fetch(sent())];
      expect([mine.status, await mine.text()]).toEqual([nodes.status, await nodes.text()]);
    }
  });

  it('that were read, or that are none, are refused', async () => {
    const { fetch } = await create({});
    const read = request();
    await read.text();
    await expect(fetch(read)).rejects.toThrow('its body has been read');
    await expect(fetch('http://ledger' as never)).rejects.toThrow('canticle.fetch takes a Request');
  });

  it('end if their signal is aborted', async () => {
    const { fetch } = await create({});
    const signal = AbortSignal.abort(new Error('over'));
    await expect(fetch(new Request('http://ledger/v2/version', { signal }))).rejects.toThrow(
      'over',
    );
  });

  it('over `handle` are the same', async () => {
    const canticle = await create({ seed: 1 });
    const answer = await canticle.handle({ method: 'POST', path: '/v2/parties', headers, body });
    expect(answer.status).toBe(200);
    const messages: unknown[] = [];
    const code = await new Promise<number>((resolve) => {
      const listener = { message: (data: unknown) => void messages.push(data), close: resolve };
      canticle.webSocket({ path: '/v2/version' }, listener);
    });
    expect([code, messages]).toEqual([1006, []]);
  });
});
