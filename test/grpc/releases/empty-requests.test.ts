/** An empty request to each method of each release, which is never an internal error: fields that a release lacks have no value. */
import { startCanticle, type Canticle } from 'canticle';
import { API_VERSIONS } from '../../../src/spec/index.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

let canticle: Canticle;
afterEach(() => canticle.close());

it.each(API_VERSIONS)('%s answers empty requests without internal errors', async (canton) => {
  canticle = await startCanticle({ canton, grpc: { adminApiPort: 0 } });
  for (const url of [canticle.urls.grpc!, canticle.urls.grpcAdmin!]) {
    const client = await GrpcClient.connect(url);
    const methods = client.services
      .filter((name) => name.startsWith('com.'))
      .flatMap((name) => client.methodsOf(name).map((method) => `${name}/${method.split('/')[1]}`));
    for (const path of methods) {
      const { methodKind } = client.method(path);
      const answer: Promise<unknown> =
        methodKind === 'server_streaming'
          ? client.stream(path, {}, { deadline: Date.now() + 300 })
          : methodKind === 'client_streaming'
            ? client.clientStream(path, [{}])
            : client.call(path, {});
      const code = await answer.then(
        () => 0,
        (fault: GrpcFault) => fault.code,
      );
      expect([path, code]).not.toEqual([path, 2]);
    }
    client.close();
  }
  expect(canticle.requests.list({ outcome: 'failed' })).toEqual([]);
});
