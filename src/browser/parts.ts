/**
 * The parts of the code that a page loads when it needs them. Options and requests load their parts. Before a synchronous call,
 * the page loads the part of the call.
 */
import type { CanticleOptions } from '../assembly/canticle-options.js';

/**
 * Code that a page loads on demand:
 * - `dars` reads and checks DARs.
 * - `amulet` starts Splice's Amulet.
 * - `scenarios` has the verbs of scenarios, and runs Daml scripts.
 * - `traces` traces, profiles and simulates.
 * - `worlds` saves and loads worlds.
 * - `wallets` serves the Wallet Gateway.
 * - `apis` serves the APIs other than the Ledger API.
 * - `releases` has the facts of releases other than the default ones.
 * - `all` means all of them.
 */
export type Part =
  | 'dars'
  | 'amulet'
  | 'scenarios'
  | 'traces'
  | 'worlds'
  | 'wallets'
  | 'apis'
  | 'releases'
  | 'all';

type Loads = () => readonly Promise<unknown>[];

const dars: Loads = () => [
  import('../daml/dar/dar-file.js'),
  import('../daml/upgrade/check.js'),
  import('../daml/lf/loading.js'),
  import('../daml/lf/lowering/script-name.js'),
];

const amulet: Loads = () => [
  ...dars(),
  import('../splice/founding/boot-amulet.js'),
  import('../splice/founding/founded-tasks.js'),
  import('../splice/model/packages.js'),
];

const scenarios: Loads = () => [
  ...amulet(),
  import('../scenario/document.js'),
  import('../scenario/run.js'),
  import('../scenario/builder.js'),
  import('../scenario/generated/validators.js'),
  import('../assembly/run-script.js'),
  import('yaml'),
];

const traces: Loads = () => [
  import('../network/tracing/profiled.js'),
  import('../network/tracing/traced.js'),
  import('../assembly/simulation.js'),
];

const worlds: Loads = () => [
  ...amulet(),
  import('../assembly/open-world.js'),
  import('../assembly/worlds/save-world.js'),
];

/** The operations of the APIs, and their facts. */
const apis: Loads = () => [
  import('../services/scan/index.js'),
  import('../services/registry/index.js'),
  import('../services/validator/index.js'),
  import('../services/wallet-app/index.js'),
  import('../services/names/index.js'),
  import('../services/sv/index.js'),
  import('../services/control/index.js'),
  import('../spec/facts/scan.json'),
  import('../spec/facts/registry.json'),
  import('../spec/facts/validator.json'),
  import('../spec/facts/wallet.json'),
  import('../spec/facts/names.json'),
  import('../spec/facts/sv.json'),
];

const releases: Loads = () => [
  import('../spec/facts/canton/3.4.json'),
  import('../spec/facts/canton/3.6.json'),
  import('../spec/facts/canton/3.7.json'),
  import('../spec/facts/splice/0.8.json'),
  import('../spec/facts/splice/0.9.json'),
  import('../spec/facts/registry/previews.json'),
  import('../network/protobuf/definitions/facts/protos/3.4.json'),
  import('../network/protobuf/definitions/facts/protos/3.6.json'),
  import('../network/protobuf/definitions/facts/protos/3.7.json'),
];

/** Of interactive submissions and external parties. */
const external: Loads = () => [
  import('../network/external/allocation.js'),
  import('../network/external/generate.js'),
  import('../network/external/execution.js'),
  import('../network/external/onboarding.js'),
  import('../network/external/preparation.js'),
  import('../network/external/prepared/recently-prepared.js'),
];

const wallets: Loads = () => [
  ...external(),
  ...traces(),
  import('../assembly/wallet-gateway/create-gateway.js'),
];

const PARTS: Readonly<Record<Exclude<Part, 'all'>, Loads>> = {
  dars,
  amulet,
  scenarios,
  traces,
  worlds,
  wallets,
  apis,
  releases,
};

export const PART_NAMES: readonly Part[] = [...(Object.keys(PARTS) as Part[]), 'all'];

/** Resolves when the code of the parts is loaded. */
export async function loadParts(parts: readonly Part[]): Promise<void> {
  const loads = parts.flatMap((part) => (part === 'all' ? Object.values(PARTS) : [PARTS[part]]));
  await Promise.all(loads.flatMap((load) => load()));
}

/** Options that need a part. */
const OPTIONS: Readonly<Partial<Record<keyof CanticleOptions, Part>>> = {
  dars: 'dars',
  amulet: 'amulet',
  load: 'worlds',
  walletGateway: 'wallets',
  initScript: 'scenarios',
  canton: 'releases',
  splice: 'releases',
  apiVersion: 'releases',
  participants: 'releases',
  validator: 'releases',
  registryPreviews: 'releases',
  protocolVersion: 'releases',
};

export const partsOf = (options: CanticleOptions): readonly Part[] =>
  Object.entries(OPTIONS).flatMap(([name, part]) =>
    options[name as keyof CanticleOptions] === undefined ? [] : [part],
  );

/** Paths below the root or a prefix, and the code that their operations need. */
const PATHS: readonly (readonly [RegExp, Loads])[] = [
  [/\/v2\/(?:dars|packages|package-vetting)/, dars],
  [/\/v2\/(?:interactive-submission|parties\/external|jose)/, external],
  [/\/docs\//, () => [...apis(), import('yaml')]],
  [/\/(?:api|registry|canticle)\//, () => [...apis(), ...external(), ...dars()]],
  [/\/canticle\/v1\/(?:traces|simulate|profile|explain|inspection|transactions)/, traces],
  [/\/canticle\/v1\//, () => [...traces(), ...worlds(), ...scenarios()]],
];

/** Resolves when the code of the operation at the path is loaded. */
export async function readyFor(path: string): Promise<void> {
  const found = PATHS.filter(([pattern]) => pattern.test(path));
  await Promise.all(found.flatMap(([, load]) => load()));
}
