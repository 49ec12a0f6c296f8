/** `canticle localnet`: starts a LocalNet from the flags, prints its URLs, and runs until a signal stops it. */
import type { Localnet } from '../../assembly/localnet/localnet.js';
import { completeOptions } from '../../assembly/localnet/localnet-checks.js';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { startLocalnet } from '../../assembly/localnet/start-localnet.js';
import type { TlsOptions } from '../../services/tls.js';
import {
  portTexts,
  removePortFiles,
  withdrawPortFiles,
  writePortFiles,
  type PortTexts,
} from '../port-files.js';
import { countUpcoming, logRequests, logRefusals } from '../request-log.js';
import { onStop } from '../stop.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { certificateFacts, type CertificateFacts } from './certificate.js';
import { namesToMend } from './host-names.js';
import type { LocalnetFlags } from './localnet-flags.js';
import { quickstartLines, writeQuickstartFile } from './quickstart-file.js';
import { removePids, writePids } from './pid-files.js';
import { localnetTable } from './table.js';

/** Resolves once the LocalNet has been stopped, by a signal or by the end of stdin. */
export async function runLocalnet(flags: LocalnetFlags, terminal: Terminal): Promise<void> {
  const stop = onStop(flags, terminal);
  try {
    await removePortFiles(flags);
    const { localnet, tls } = await start(flags.options);
    const texts = textsOf(localnet);
    const reportUpcoming = flags.quietDeprecations ? undefined : countUpcoming(localnet, terminal);
    const ports = localnet.nodes.map(({ ledgerApi }) => Number(new URL(ledgerApi).port));
    try {
      writePids(ports, process.pid);
      if (flags.log !== undefined) logRequests(localnet, flags.log, terminal);
      if (flags.verbose) logRefusals(localnet, terminal);
      const command = flags.envFile && writeQuickstartFile(flags.envFile, localnet.quickstart);
      const certificate = tls && certificateOf(localnet, tls);
      terminal.stdout.write(localnetTable(localnet, await namesToMend(localnet), certificate));
      if (command) terminal.stdout.write(quickstartLines(flags.envFile!, command));
      await writePortFiles(flags, texts);
      terminal.stdout.write('LocalNet is ready.\n');
      await stop.stopped;
      reportUpcoming?.();
    } finally {
      removePids(ports, process.pid);
      await withdrawPortFiles(flags, texts);
      await localnet.close();
    }
  } finally {
    stop.forget();
  }
}

function certificateOf({ main, hostNames }: Localnet, { cert }: TlsOptions): CertificateFacts {
  const { hostname } = new URL(main.ledgerApi);
  return certificateFacts(cert, [hostname.replace(/^\[|\]$/g, ''), ...hostNames]);
}

/** By node: `jsonApi`, `validator`, `ui`; also Scan and the SV app if they have separate ports. */
function textsOf(localnet: Localnet): PortTexts {
  const nodes: Record<string, Record<string, number>> = {};
  for (const { name, port } of localnet.openPorts) {
    const [node = name, service = 'jsonApi'] = name.split('/');
    const isApart = !localnet.nodes.some((each) => each.name === node);
    (nodes[node] ??= {})[isApart ? 'http' : service] = port;
  }
  return portTexts(nodes, Number(new URL(localnet.main.ledgerApi).port));
}

/** Defaults of the command line. Its clients compare times with their own clocks, and expect the ports and services of a LocalNet. */
const COMMAND_LINE: LocalnetOptions = {
  ports: 'localnet',
  clock: 'wall',
  grpc: true,
  offsetGaps: true,
};

async function start(
  given: LocalnetOptions,
): Promise<{ readonly localnet: Localnet } & Pick<LocalnetOptions, 'tls'>> {
  try {
    const options = completeOptions(given);
    return { localnet: await startLocalnet({ ...COMMAND_LINE, ...options }), tls: options.tls };
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw new CommandFailed(whyNotStarted(error), { cause: error });
  }
}

function whyNotStarted(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (message.startsWith('Failed to read')) return message.replace(/^F/, 'f');
  if (code === 'EADDRINUSE' || code === 'EACCES') return message.replace(/^F/, 'f');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${message.replace(/^F/, 'f')} Choose another with --host.`;
  return `failed to start: ${causeOf(error)}`;
}
