/** Daml scripts on the network of a Canticle, as its users ask for them: by paths, and names of participants. */
import type { Network } from '../network/network.js';
import { invalidArgument } from '../network/model/request-errors.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { runScriptOn } from '../script/run-on-network.js';
import { readNamedFile } from './dar-files.js';
import { isError } from '../daml/errors/realms.js';

export interface ScriptOptions {
  /**
   * The DAR that contains the script, or its path. It is uploaded to all participants first. Not needed if it was
   * uploaded before.
   */
  readonly dar?: Uint8Array | string;
  /** The name of the participant for commands that name none; the first by default. */
  readonly participant?: string;
  /** Receives the messages of `debug` and `trace`. */
  readonly onTrace?: (message: string) => void;
}

/** A script to run at the start, or only its name. */
export type InitScript =
  | string
  | (ScriptOptions & {
      /** `Module:name`, or with `#package-name:` before. */
      readonly script: string;
      /** Ledger API JSON. */
      readonly argument?: unknown;
    });

export function runScript(
  network: Network,
  name: string,
  argument: unknown,
  { dar, participant, onTrace }: ScriptOptions = {},
): unknown {
  const found = network.participants.find((each) => each.name === participant);
  if (participant !== undefined && found === undefined)
    throw invalidArgument(
      `There is no participant '${participant}': there are ${network.participants.map((each) => each.name).join(', ')}`,
    );
  const bytes = typeof dar === 'string' ? readNamedFile(dar) : dar;
  try {
    return runScriptOn(network, name, {
      argument,
      onTrace,
      ...(bytes && { dar: bytes }),
      ...(found && { participant: found }),
    });
  } catch (error) {
    throw isError(error) ? withCallerStack(error) : error;
  }
}

export function runInitScript(network: Network, given: InitScript): void {
  if (typeof given === 'string') runScript(network, given, undefined);
  else runScript(network, given.script, given.argument, given);
}
