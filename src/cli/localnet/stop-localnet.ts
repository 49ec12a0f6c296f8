/** `canticle localnet stop`: ends a LocalNet that another terminal runs, as a signal to it does. */
import { CommandFailed, type Terminal } from '../terminal.js';
import { request, speaksTls, type LocalnetAddress } from './requests.js';
import { urlOf, whereaboutsOf } from './find-localnet.js';
import { pidAt } from './pid-files.js';
import type { WhereFlags } from './where-flags.js';

/** Milliseconds that it has to end. */
const PATIENCE = 20_000;
/** Milliseconds between two checks whether the process has ended. */
const LOOK = 50;

/** Resolves once it has ended. @throws CommandFailed if no LocalNet answers, or its process is unknown */
export async function stopLocalnet(flags: WhereFlags, { stdout }: Terminal): Promise<void> {
  const where = await whereaboutsOf(flags);
  const [{ name, ports } = { name: '', ports: undefined }] = where.nodes;
  if (ports === undefined)
    throw new CommandFailed(
      'failed to stop: the port file does not contain the ports of a LocalNet.',
    );
  const url = urlOf(where, ports.ledgerApi);
  // Another process may have reused an old process id. A LocalNet that answers has written its current id.
  if (!(await answers(where, ports.ledgerApi)))
    throw new CommandFailed(
      `failed to stop: no LocalNet answers at ${url}, where ${name} would be. Pass --port-offset or --port-file.`,
    );
  const pid = pidAt(ports.ledgerApi);
  if (pid === undefined || !isRunning(pid))
    throw new CommandFailed(
      `failed to stop: the service at ${url} was not started with canticle localnet on this machine and by this user. Stop it where you started it.`,
    );
  process.kill(pid, 'SIGTERM');
  const end = Date.now() + PATIENCE;
  while (isRunning(pid) && (await answers(where, ports.ledgerApi))) {
    if (Date.now() > end)
      throw new CommandFailed(`failed to stop: process ${pid} got a signal but has not ended.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  stdout.write('LocalNet is stopped.\n');
}

/** With TLS a handshake is enough, as nothing secret is sent: a file of this user names the process. */
const answers = (where: LocalnetAddress, port: number): Promise<boolean> =>
  where.scheme === 'https'
    ? speaksTls(where.host, port)
    : request(where, `${urlOf(where, port)}/livez`).then(
        ({ status }) => status === 200,
        () => false,
      );

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
