/** Modules of Node and packages that a browser does not have. Their use throws an error that says so. */

/** By the module of Node, or the package. */
const FEATURES: Readonly<Record<string, string>> = {
  'node:fs': 'files',
  'node:path': 'files',
  'node:os': 'files',
  'node:url': 'files',
  'node:http': 'ports',
  'node:https': 'ports',
  'node:net': 'ports',
  'node:tls': 'ports',
  'node:stream': 'ports',
  'node:stream/promises': 'ports',
  'node:http2': 'gRPC',
  'node:worker_threads': 'threads of Node',
  'node:v8': 'the compiled code of Node',
  'node:vm': 'the scripts of Node',
  'pack-grpc.js': 'gRPC',
  'pack-client.js': 'threads of Node',
  'pack-inspector.js': 'ports',
  express: 'Express applications',
  ws: 'ports',
};

/** The error for a feature that a browser does not have. */
export class NotInBrowser extends Error {
  override readonly name = 'NotInBrowser';

  constructor(what: string, instead = '') {
    super(
      `A browser has no ${what}, so that canticle/browser cannot do this.${instead && ` ${instead}`}`,
    );
  }
}

/** The error for code that browsers do not get. @param name of a module, a package or a pack */
export const notInBrowser = (name: string): NotInBrowser =>
  new NotInBrowser(FEATURES[name] ?? `'${name}'`);

/** A module whose exports are functions and classes that throw. */
export function missingModule(name: string): object {
  const get = (_: object, member: string | symbol): unknown =>
    typeof member === 'symbol' || member === '__esModule' || member === 'then'
      ? undefined
      : function missing() {
          throw notInBrowser(name);
        };
  // The build copies the own members of a module, and inherits from its prototype.
  return Object.create(new Proxy({}, { get })) as object;
}
