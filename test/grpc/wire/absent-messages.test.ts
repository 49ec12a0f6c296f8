/**
 * Requests without their main message: they are authorized like any other, and keep no data of one caller for the next.
 */
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

let canticle: Canticle;
let client: GrpcClient;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const];
  canticle = await startCanticle({ grpc: true, auth: { services } });
  client = await GrpcClient.connect(canticle.urls.grpc!);
  for (const id of ['one', 'other']) {
    canticle.network.participants[0]!.users.create({ id }, []);
    tokens[id] = await canticle.accessToken({ sub: id });
  }
});
afterAll(async () => {
  client.close();
  await canticle.close();
});

it.each([
  'CommandService/SubmitAndWait',
  'CommandService/SubmitAndWaitForTransaction',
  'CommandSubmissionService/Submit',
])('%s without commands has the same error for each user', async (method) => {
  for (const user of ['one', 'other', 'one']) {
    const { message } = await client.call(method, {}, { token: tokens[user]! }).then(
      () => Promise.reject(new Error('It was not refused.')),
      (fault: GrpcFault) => fault,
    );
    expect(message).toContain('The submitted command is missing a mandatory field: command_id');
  }
});

it.each(['virtual', 'wall'] as const)(
  'the TimeService exists with a virtual clock only (B-GRPC-024): %s',
  async (clock) => {
    const other = await startCanticle({ grpc: true, clock });
    const grpc = await GrpcClient.connect(other.urls.grpc!);
    const has = grpc.services.includes('com.daml.ledger.api.v2.testing.TimeService');
    expect(has).toBe(clock === 'virtual');
    grpc.close();
    await other.close();
  },
);
