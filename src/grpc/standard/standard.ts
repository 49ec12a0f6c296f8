/** The services of gRPC itself: health checking, and server reflection in both of its versions. */
import { decodeMessage } from '../messages/reader.js';
import { encodeMessage } from '../messages/writer.js';
import { OK, type Call } from '../wire/call.js';
import { OneRequest, UNREADABLE } from '../wire/one-request.js';

export type StandardMethod = (call: Call) => void;

const NOT_FOUND = 5;
const HEALTH = 'grpc.health.v1';
const REFLECTION = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const;

/** @param paths of the methods that are served beside these */
export function standardServices(paths: readonly string[]): ReadonlyMap<string, StandardMethod> {
  const served = [...new Set(paths.map((path) => path.split('/')[1]!))];
  const services = [
    ...served,
    `${HEALTH}.Health`,
    ...REFLECTION.map((each) => `${each}.ServerReflection`),
  ].sort();
  const health = new Set(['', ...services]);
  return new Map<string, StandardMethod>([
    [`/${HEALTH}.Health/Check`, (call) => check(call, health)],
    [`/${HEALTH}.Health/List`, (call) => list(call, health)],
    [`/${HEALTH}.Health/Watch`, (call) => watch(call, health)],
    ...REFLECTION.map(
      (each) =>
        [
          `/${each}.ServerReflection/ServerReflectionInfo`,
          (call: Call) => void reflect(call, each, services),
        ] as const,
    ),
  ]);
}

function serviceIn(bytes: Uint8Array): string {
  return decodeMessage(`${HEALTH}.HealthCheckRequest`, bytes)['service'] as string;
}

const health = (status: string): Uint8Array =>
  encodeMessage(`${HEALTH}.HealthCheckResponse`, { status });

function check(call: Call, services: ReadonlySet<string>): void {
  call.listen(
    new OneRequest((bytes) => {
      const service = serviceIn(bytes);
      if (services.has(service)) call.end(OK, health('SERVING'));
      else call.end({ code: NOT_FOUND, message: `unknown service ${service}` });
    }),
  );
}

function list(call: Call, services: ReadonlySet<string>): void {
  const statuses = Object.fromEntries([...services].map((each) => [each, { status: 'SERVING' }]));
  const answer = encodeMessage(`${HEALTH}.HealthListResponse`, { statuses });
  call.listen(new OneRequest(() => call.end(OK, answer)));
}

/** Goes on until the client ends it; nothing here ever stops serving before the port does. */
function watch(call: Call, services: ReadonlySet<string>): void {
  call.listen(
    new OneRequest((bytes) =>
      call.send([health(services.has(serviceIn(bytes)) ? 'SERVING' : 'SERVICE_UNKNOWN')]),
    ),
  );
}

/** What makes descriptors is loaded for the first client that asks: few do, and they do it before anything else. */
async function reflect(call: Call, version: string, services: readonly string[]): Promise<void> {
  const { reflected } = await import('./reflection.js');
  call.listen({
    message: (bytes) => {
      const request = decodeMessage(`${version}.ServerReflectionRequest`, bytes);
      const response = {
        validHost: request['host'],
        originalRequest: request,
        ...reflected(request, services),
      };
      call.send([encodeMessage(`${version}.ServerReflectionResponse`, response)]);
    },
    halfClosed: () => {
      call.respond();
      call.end(OK);
    },
    failed: () => UNREADABLE,
  });
}
