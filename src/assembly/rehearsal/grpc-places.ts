/**
 * Adds the place of a call to the metadata of `@grpc/grpc-js`, if the project under test has this package. Its requests begin later, when
 * the line that made the call is no longer known.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const NAMED = Symbol.for('canticle.places');

const PACKAGE = '@grpc/grpc-js';

/** Each call of a client runs one of these methods at once, also if its class was generated before. */
const COMPLETING = ['checkOptionalUnaryResponseArguments', 'checkMetadataAndOptions'] as const;

interface Client {
  getChannel(): { getTarget(): string };
}

interface Metadata {
  clone(): Metadata;
  set(name: string, value: string): void;
}

type Complete = (this: Client, ...args: unknown[]) => { readonly metadata: Metadata };

type Prototype = Record<(typeof COMPLETING)[number], Complete | undefined> & { [NAMED]?: true };

const LOCAL_TARGET =
  /^(?:\w+:\/*)?(?:localhost|[\w.-]*\.localhost|127\.[\d.]+|\[?::1\]?)(?::\d+)?$/;

/** @param placeHere the line that calls */
export function nameGrpcPlaces(header: string, placeHere: () => string | undefined): void {
  const prototype = clientPrototype();
  if (prototype === undefined || prototype[NAMED]) return;
  for (const method of COMPLETING) {
    const complete = prototype[method];
    if (complete === undefined) continue;
    prototype[method] = function (...args) {
      const completed = complete.apply(this, args);
      const place = LOCAL_TARGET.test(this.getChannel().getTarget()) ? placeHere() : undefined;
      if (place === undefined) return completed;
      const metadata = completed.metadata.clone();
      metadata.set(header, place);
      return { ...completed, metadata };
    };
  }
  prototype[NAMED] = true;
}

/** Undefined if the project has no such package. */
function clientPrototype(): Prototype | undefined {
  try {
    const load = createRequire(join(process.cwd(), 'package.json'));
    const { Client } = load(PACKAGE) as { readonly Client: { readonly prototype: Prototype } };
    return Client.prototype;
  } catch {
    return undefined;
  }
}
