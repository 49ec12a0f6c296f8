/** Checks the options that a browser cannot have. */
import { LISTENING } from '../options/canticle.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { PART_NAMES, type Part } from './parts.js';
import { NotInBrowser } from './platform/missing.js';

/** Options that are the name of a file or of a folder. */
const FILES = ['cache', 'scenario', 'cantonDocuments', 'faults', 'amulet', 'load'];

/** Options of connections, and the features that they need. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(LISTENING).map((name) => [name, 'ports'])),
  grpc: 'gRPC',
  fork: 'forks',
};

/** @throws Error for an option of a feature that browsers do not have */
export function refuseMissing(options: object): void {
  const given = options as Readonly<Record<string, unknown>>;
  const connecting = Object.keys(CONNECTIONS).find((name) => given[name] !== undefined);
  if (connecting !== undefined)
    throw withCallerStack(
      new NotInBrowser(CONNECTIONS[connecting]!, `Remove the option ${connecting}.`),
    );
  const services = [given, ...participantsIn(given)].flatMap((each) =>
    isJsonObject(each['externalCalls']) ? Object.values(each['externalCalls']) : [],
  );
  if (services.some((service) => typeof service !== 'function'))
    throw withCallerStack(
      new NotInBrowser('threads of Node', 'Pass functions in the option externalCalls.'),
    );
  const named = FILES.find((name) => typeof given[name] === 'string' || namesDar(given[name]));
  if (named !== undefined) throw files(named);
  if (Array.isArray(given['dars']) && given['dars'].some((dar) => typeof dar === 'string'))
    throw files('dars');
}

/** @throws TypeError for an unknown part */
export function checkParts(parts: readonly Part[]): void {
  const unknown = parts.find((part) => !PART_NAMES.includes(part));
  if (unknown !== undefined)
    throw withCallerStack(
      new TypeError(
        `Failed to create a Canticle: '${unknown}' is not a part. The parts are ${PART_NAMES.join(', ')}.`,
      ),
    );
}

type Members = Readonly<Record<string, unknown>>;

const participantsIn = ({ participants }: Members): readonly Members[] =>
  Array.isArray(participants) ? participants.filter(isJsonObject) : [];

const namesDar = (value: unknown): boolean =>
  isJsonObject(value) && typeof (value as { readonly dar?: unknown }).dar === 'string';

const files = (option: string): Error =>
  withCallerStack(
    new NotInBrowser(
      'files',
      `Pass bytes instead of the name in the option ${option}, such as new Uint8Array(await (await fetch(url)).arrayBuffer()).`,
    ),
  );
