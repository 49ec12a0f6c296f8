/**
 * `canticle sandbox`: starts a Canticle from the flags, prints its URLs, and runs until a signal stops it.
 * `src/assembly/start.ts` starts the services.
 */
import type { Canticle } from '../assembly/canticle.js';
import { startCanticle } from '../assembly/start.js';
import { LISTENING } from '../options/canticle.js';
import { reportingProgress } from './fork/fork-flags.js';
import { countUpcoming, logRequests, logRefusals } from './request-log.js';
import { nextSteps } from './next-steps.js';
import {
  portTexts,
  removePortFiles,
  withdrawPortFiles,
  writePortFiles,
  type PortTexts,
} from './port-files.js';
import type { SandboxFlags } from './sandbox-flags.js';
import { onStop } from './stop.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';
import { isError } from '../daml/errors/realms.js';

/** Resolves once the sandbox has been stopped, by a signal or by the end of stdin. */
export async function runSandbox(flags: SandboxFlags, terminal: Terminal): Promise<void> {
  // A signal during the start aborts the reading of a live participant, or else stops the sandbox as soon as it has started.
  const stop = onStop(flags, terminal);
  const halt = new AbortController();
  void stop.stopped.then(() => halt.abort());
  try {
    if (flags.unused.length > 0)
      terminal.stderr.write(
        `canticle: ${flags.unused.join(', ')} ignored: Canticle has no server for it.\n`,
      );
    await removePortFiles(flags);
    const canticle = await start(flags, terminal, halt.signal);
    if (canticle === undefined) return;
    const texts = textsOf(canticle);
    const reportUpcoming = flags.quietDeprecations ? undefined : countUpcoming(canticle, terminal);
    try {
      await writePortFiles(flags, texts);
      if (flags.log !== undefined) logRequests(canticle, flags.log, terminal);
      if (flags.verbose) logRefusals(canticle, terminal);
      const suggestions = flags.options.scenario === undefined ? '' : nextSteps(canticle);
      terminal.stdout.write(greeting(canticle) + suggestions);
      await stop.stopped;
      reportUpcoming?.();
    } finally {
      await withdrawPortFiles(flags, texts);
      await canticle.close();
    }
  } finally {
    stop.forget();
  }
}

function textsOf({ ports, grpcApis, grpcAdminApis }: Canticle): PortTexts {
  const portIn = (address: string) => Number(address.slice(address.lastIndexOf(':') + 1));
  const portEntry = (key: string, address: string | undefined) =>
    address === undefined ? {} : { [key]: portIn(address) };
  const nodes = Object.entries(ports).map(([name, jsonApi]) => {
    const overGrpc = {
      ...portEntry('ledgerApi', grpcApis[name]),
      ...portEntry('adminApi', grpcAdminApis[name]),
    };
    return [name, { ...overGrpc, jsonApi }] as const;
  });
  return portTexts(Object.fromEntries(nodes), Object.values(ports)[0]!);
}

/** @returns undefined if a signal stopped it while it read a live participant */
async function start(
  { options }: SandboxFlags,
  { stderr }: Terminal,
  signal: AbortSignal,
): Promise<Canticle | undefined> {
  const { fork, load } = options;
  try {
    return await startCanticle(reportingProgress(options, stderr, signal));
  } catch (error) {
    if (fork !== undefined && signal.aborted) return undefined;
    // Expected failures of the system or the ledger have a code. Other errors are bugs, and are shown as such.
    const isExpected = typeof (error as NodeJS.ErrnoException).code === 'string';
    // A TypeError about options that cannot be combined with a loaded world is an error of the user.
    const isLoaded = load !== undefined || fork !== undefined;
    if (!isExpected && !(isLoaded && isError(error, 'TypeError'))) throw error;
    throw new CommandFailed(whyNotStarted(error, options), { cause: error });
  }
}

function whyNotStarted(error: unknown, options: SandboxFlags['options']): string {
  const { host = LISTENING.host.default, port, grpc, walletGateway, pqs } = options;
  const ledgerApiPort = typeof grpc === 'object' ? grpc.ledgerApiPort : undefined;
  const { message } = error as Error;
  const gatewayPort = typeof walletGateway === 'object' ? walletGateway.port : undefined;
  const [flag, taken] = [
    ['--ledger-api-port', ledgerApiPort] as const,
    ['--wallet-gateway-port', gatewayPort] as const,
    ['--pqs-port', typeof pqs === 'object' ? pqs.port : undefined] as const,
  ].find(([, each]) => each !== undefined && message.includes(`${host}:${each}:`)) ?? [
    '--json-api-port',
    port,
  ];
  const place = `failed to listen on ${host}:${taken}`;
  if (/^Failed to (read|fork)/.test(message)) return message.replace(/^F/, 'f');
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `${place}: the port is taken. Choose another with ${flag}, or 0 for any free one.`;
    case 'EACCES':
      return `${place}: permission denied. Choose a port above 1023 with ${flag}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${place}: this machine has no such address. Choose another with --host.`;
    default:
      return `failed to start: ${causeOf(error)}`;
  }
}

function greeting({ urls, ledgerApis, grpcApis, grpcAdminApis, sqlApis }: Canticle): string {
  const others = Object.entries(ledgerApis).slice(1);
  const byParticipant = (title: string, addresses: Readonly<Record<string, string>>) =>
    Object.entries(addresses).map(([name, address], index) =>
      index === 0 ? `${title.padEnd(16)} ${address}` : `  of ${name.padEnd(12)} ${address}`,
    );
  return [
    `JSON Ledger API  ${urls.ledgerApi}`,
    ...others.map(([name, url]) => `  of ${name.padEnd(12)} ${url}`),
    ...byParticipant('gRPC Ledger API', grpcApis),
    ...byParticipant('gRPC admin API', grpcAdminApis),
    `Scan             ${urls.scan}`,
    `Token registry   ${urls.registry}`,
    `Validator        ${urls.validator}`,
    `Controls         ${urls.control}`,
    `Inspector        ${urls.inspector}`,
    ...(urls.walletGateway === undefined ? [] : [`Wallet Gateway   ${urls.walletGateway}`]),
    ...Object.values(sqlApis).map((url) => `SQL              ${url}`),
    'Canton sandbox is ready.',
    '',
  ].join('\n');
}
