/** The standard gRPC services, health checking and server reflection, and the name of each port's API. */
import type { Definitions } from '../../network/protobuf/definitions/definitions.js';
import { USUAL } from '../messages/codec.js';
import { OK, type Call } from '../wire/call.js';
import { OneRequest, UNREADABLE } from '../wire/one-request.js';

export type StandardMethod = (call: Call) => void;

const NOT_FOUND = 5;
const HEALTH = 'grpc.health.v1';
const REFLECTION = 'grpc.reflection.v1';
/** The names in a participant's health service: the participant and its components. */
const COMPONENTS: readonly string[] = ['', 'write', 'indexer', 'index'];

const API_INFO = 'com.digitalasset.canton.connection.v30';
const API_INFO_SERVICE = `${API_INFO}.ApiInfoService`;

/** Canton's clients first ask for the name of the API. */
const apiInfo =
  (name: string): StandardMethod =>
  (call) =>
    call.listen(
      new OneRequest(() => call.end(OK, USUAL.encode(`${API_INFO}.GetApiInfoResponse`, { name }))),
    );

/**
 * @param paths of the other methods of the port
 * @param definitions of its release
 * @param servesHealth whether the port has a service for it
 */
export function standardServices(
  paths: readonly string[],
  definitions: Definitions,
  servesHealth: boolean,
): ReadonlyMap<string, StandardMethod> {
  const services = [
    ...new Set(paths.map((path) => path.split('/')[1]!)),
    ...(servesHealth ? [`${HEALTH}.Health`] : []),
    API_INFO_SERVICE,
    `${REFLECTION}.ServerReflection`,
  ].sort();
  return new Map<string, StandardMethod>([
    ...(servesHealth ? HEALTH_METHODS : []),
    [`/${API_INFO_SERVICE}/GetApiInfo`, apiInfo(servesHealth ? 'ledger-api' : 'admin-api')],
    [
      `/${REFLECTION}.ServerReflection/ServerReflectionInfo`,
      (call) => void reflect(call, services, definitions),
    ],
  ]);
}

const HEALTH_METHODS: readonly (readonly [string, StandardMethod])[] = [
  [`/${HEALTH}.Health/Check`, (call) => onKnown(call, () => call.end(OK, serving()))],
  // Continues until the client ends it, because services do not stop before the port closes.
  [`/${HEALTH}.Health/Watch`, (call) => onKnown(call, () => call.send([serving()]))],
];

const serving = (): Uint8Array =>
  USUAL.encode(`${HEALTH}.HealthCheckResponse`, { status: 'SERVING' });

function onKnown(call: Call, answer: () => void): void {
  call.listen(
    new OneRequest((bytes) => {
      const component = serviceIn(bytes);
      if (COMPONENTS.includes(component)) return answer();
      call.end({ code: NOT_FOUND, message: `Component ${component} does not exist.` });
    }),
  );
}

function serviceIn(bytes: Uint8Array): string {
  return USUAL.decode(`${HEALTH}.HealthCheckRequest`, bytes)['service'] as string;
}

/** The first client that uses reflection loads the descriptors: few clients do, and they do it first. */
async function reflect(
  call: Call,
  services: readonly string[],
  definitions: Definitions,
): Promise<void> {
  const { reflectionOf } = await import('./reflection.js');
  const reflected = reflectionOf(services, definitions);
  call.listen({
    message: (bytes) => {
      const request = USUAL.decode(`${REFLECTION}.ServerReflectionRequest`, bytes);
      const response = {
        validHost: request['host'],
        originalRequest: request,
        ...reflected(request),
      };
      call.send([USUAL.encode(`${REFLECTION}.ServerReflectionResponse`, response)]);
    },
    halfClosed: () => {
      call.respond();
      call.end(OK);
    },
    failed: () => UNREADABLE,
  });
}
