/** An instance for browsers, here in Node: its options, its parts, and its requests. */
import { createCanticle, loadParts, type BrowserOptions } from '../../src/browser.js';

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

it('refuses unknown options and parts', async () => {
  await expect(create({ sede: 7 })).rejects.toThrow('sede');
  await expect(create({ parts: ['dar'] })).rejects.toThrow(
    `'dar' is not a part. The parts are dars, amulet, scenarios, traces, worlds, apis, releases, all.`,
  );
  await expect(loadParts(['all'])).resolves.toBeUndefined();
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
