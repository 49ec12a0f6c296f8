/**
 * Runs a script on a network of this process, for tests, scenarios and start-up scripts. Arguments and results are
 * Ledger API JSON.
 */
import type { DamlPackage, PackageLookup } from '../daml/model/package.js';
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import { storeDar, readDar } from '../network/vetting/upload.js';
import { scriptArgument } from './arguments.js';
import { atOnce } from './awaited.js';
import { ScriptError, ScriptFailed } from './failures.js';
import { scriptName, scriptNamed, type Script } from './find-scripts.js';
import { resultJson } from './result-json.js';
import { NetworkLedger } from './network/network-ledger.js';
import { ScriptPackages } from './packages.js';
import { ScriptRun } from './script-run.js';
import { failureOf } from './test-script.js';

export interface RunScriptOptions {
  /**
   * The archive with the script. Its packages are uploaded to all participants. Without it, the script is searched
   * in the packages that were uploaded before.
   */
  readonly dar?: Uint8Array;
  /** The argument, if the script takes one: Ledger API JSON. */
  readonly argument?: unknown;
  /** The participant for requests without a participant name; the first participant by default. */
  readonly participant?: Participant;
  /** Receives the messages of `debug` and `trace`. */
  readonly onTrace?: (message: string) => void;
}

/**
 * @param name `Module:name`, or with `#package-name:` before
 * @returns its result; undefined if the result is not a ledger value
 * @throws ScriptFailed if it fails: its earlier submissions remain
 */
export function runScriptOn(
  network: Network,
  name: string,
  options: RunScriptOptions = {},
): unknown {
  const usual = options.participant ?? network.participants[0]!;
  const script = findScript(network, usual, name, options.dar);
  const packages = new ScriptPackages(
    usual.packages.ids().map((id) => usual.packages.package(id)!),
  );
  const ledger = new NetworkLedger(network, packages, usual);
  const { onTrace } = options;
  try {
    const run = new ScriptRun(script, { packages, ledger, seed: network.options.seed, onTrace });
    const result = atOnce(run.run(argumentOf(packages, script, options.argument)));
    return resultJson(packages, script.result, result);
  } catch (error) {
    throw new ScriptFailed(scriptName(script), failureOf(error), error);
  }
}

/** The argument as a run-time value. @throws LedgerError if it is not a value of its type */
function argumentOf(packages: PackageLookup, { argument: type }: Script, given: unknown): unknown {
  if (type === undefined || given === undefined) return given;
  return scriptArgument(packages, type, given);
}

function findScript(
  network: Network,
  { packages }: Participant,
  name: string,
  dar: Uint8Array | undefined,
): Script {
  if (dar !== undefined) {
    const archives = network.participants.map((each) => {
      const read = readDar(each, dar);
      storeDar(each, dar, read);
      return read.main;
    });
    return scriptNamed(packages.package(archives[0]!.id)!, name);
  }
  const [own, rest] = name.startsWith('#') ? splitName(name) : [undefined, name];
  const candidates = packages
    .packageNames()
    .filter((each) => own === undefined || each === own)
    .flatMap((each) => packages.package(packages.packageIdForName(each)!)!);
  const found = candidates.flatMap((each) => scriptIn(each, rest) ?? []);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map(({ of }) => `#${of.name}:${rest}`).join(', ');
    throw new ScriptError(`Several packages have a script ${rest}: ${names}.`);
  }
  throw new ScriptError(
    `No package has a script ${name}. Upload its DAR first, or say which it is.`,
  );
}

function splitName(name: string): readonly [own: string, rest: string] {
  const colon = name.indexOf(':');
  return [name.slice(1, colon), name.slice(colon + 1)];
}

function scriptIn(of: DamlPackage, name: string): Script | undefined {
  try {
    return scriptNamed(of, name);
  } catch (error) {
    if (error instanceof ScriptError) return undefined;
    throw error;
  }
}
