/** Conformance: what there is over gRPC alone, health and handshakes. */
import { connect } from 'node:tls';
import { startCanticle, type Canticle } from 'canticle';
import { AUTHORITY, SERVER_CERT, SERVER_KEY } from '../support/certificates.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({ grpc: true });

conformanceSuite('HealthServiceIT', {}, (reproduce) => {
  reproduce('HScheck', 'returns SERVING', async () => {
    const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
    expect(await grpc.call('grpc.health.v1.Health/Check')).toEqual({ status: 'SERVING' });
    grpc.close();
  });

  reproduce('HSwatch', 'streams SERVING at once', async () => {
    const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
    const watched = await grpc.stream('grpc.health.v1.Health/Watch', {}, { take: 1 });
    expect(watched).toEqual([{ status: 'SERVING' }]);
    grpc.close();
  });
});

type Version = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** Whether a client of these versions comes to an agreement with the port. */
function agrees(server: Canticle, minVersion: Version, maxVersion = minVersion): Promise<boolean> {
  const [host, port] = server.urls.grpc!.split(':') as [string, string];
  return new Promise((resolve) => {
    const socket = connect(
      {
        host,
        port: Number(port),
        ca: AUTHORITY,
        ALPNProtocols: ['h2'],
        minVersion,
        maxVersion,
        ciphers: 'ALL:@SECLEVEL=0',
      },
      () => {
        resolve(true);
        socket.destroy();
      },
    );
    socket.on('error', () => resolve(false));
  });
}

let from12: Canticle;
let from13: Canticle;
beforeAll(async () => {
  const tls = { cert: SERVER_CERT, key: SERVER_KEY };
  from12 = await startCanticle({ grpc: true, tls });
  from13 = await startCanticle({ grpc: true, tls: { ...tls, minVersion: 'TLSv1.3' } });
});
afterAll(() => Promise.all([from12.close(), from13.close()]));

conformanceSuite('TLSOnePointThreeIT', {}, (reproduce) => {
  reproduce('ServerOnTLSv13ConnectionFromClientOnTLSv12andTLSv13', 'agrees', async () => {
    expect(await agrees(from13, 'TLSv1.2', 'TLSv1.3')).toBe(true);
  });
  reproduce('ServerOnTLSv13ConnectionFromClientOnTLSv13', 'agrees', async () => {
    expect(await agrees(from13, 'TLSv1.3')).toBe(true);
  });
  reproduce('ServerOnTLSv13ConnectionFromClientOnTLSv12', 'does not', async () => {
    expect(await agrees(from13, 'TLSv1.2')).toBe(false);
  });
  reproduce('ServerOnTLSv13ConnectionFromClientOnTLSv11', 'does not', async () => {
    expect(await agrees(from13, 'TLSv1.1')).toBe(false);
  });
  reproduce('ServerOnTLSv13ConnectionFromClientOnTLSv1', 'does not', async () => {
    expect(await agrees(from13, 'TLSv1')).toBe(false);
  });
});

conformanceSuite('TLSAtLeastOnePointTwoIT', {}, (reproduce) => {
  reproduce('ServerOnTLSConnectionFromClientOnTLSv12andTLSv13', 'agrees', async () => {
    expect(await agrees(from12, 'TLSv1.2', 'TLSv1.3')).toBe(true);
  });
  reproduce('ServerOnTLSConnectionFromClientOnTLSv13', 'agrees', async () => {
    expect(await agrees(from12, 'TLSv1.3')).toBe(true);
  });
  reproduce('ServerOnTLSConnectionFromClientOnTLSv12', 'agrees', async () => {
    expect(await agrees(from12, 'TLSv1.2')).toBe(true);
  });
  reproduce('ServerOnTLSConnectionFromClientOnTLSv11', 'does not', async () => {
    expect(await agrees(from12, 'TLSv1.1')).toBe(false);
  });
  reproduce('ServerOnTLSConnectionFromClientOnTLSv1', 'does not', async () => {
    expect(await agrees(from12, 'TLSv1')).toBe(false);
  });
});
