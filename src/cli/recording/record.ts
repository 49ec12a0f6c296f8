/** `canticle record`: a proxy in front of live systems. It writes every exchange to a file, without secrets, until a signal stops it. */
import { HarWriter } from '../../bridge/har-writer.js';
import { openProxy, type RecordingProxy } from '../../bridge/recording-proxy.js';
import { removalsText } from '../../recording/secrets.js';
import { onStop } from '../stop.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';

export interface RecordFlags {
  readonly ledgerApi: readonly URL[];
  readonly scan: readonly URL[];
  readonly registry: readonly URL[];
  readonly validator: readonly URL[];
  readonly sv: readonly URL[];
  readonly out: string;
  readonly host: string;
  /** The port of the first system; the others use the next ports. 0 selects free ports. */
  readonly port: number;
  readonly allowOrigin: readonly string[];
}

const LABELS = {
  ledgerApi: 'JSON Ledger API',
  scan: 'Scan',
  registry: 'Token registry',
  validator: 'Validator',
  sv: 'SV',
};

/** Resolves when a signal has stopped it and the file is complete. */
export async function record(flags: RecordFlags, terminal: Terminal): Promise<void> {
  const systems = (Object.keys(LABELS) as (keyof typeof LABELS)[]).flatMap((name) =>
    flags[name].map((url) => ({ label: LABELS[name], url })),
  );
  if (systems.length === 0)
    throw new CommandFailed(
      'failed to record: no system to record. Pass one, such as --ledger-api http://localhost:2975.',
    );
  const stop = onStop({ shutdownStdinClose: false }, terminal);
  const writer = opened(flags.out, terminal.version);
  const proxies: RecordingProxy[] = [];
  const onExchange = (entry: Parameters<HarWriter['add']>[0]) => writer.add(entry);
  try {
    for (const [index, { label, url }] of systems.entries()) {
      const port = flags.port === 0 ? 0 : flags.port + index;
      const { host, allowOrigin: allowOrigins } = flags;
      const proxy = await openProxy({ target: url, host, port, allowOrigins, onExchange }).catch(
        (error: unknown) => {
          const place = `${flags.host}:${port}`;
          throw new CommandFailed(`failed to listen on ${place}: ${causeOf(error)}`);
        },
      );
      proxies.push(proxy);
      const path = url.pathname.replace(/\/+$/, '');
      const here = `http://${flags.host}:${proxy.port}${path}`;
      terminal.stdout.write(`${label.padEnd(15)}  ${here}  to ${url.origin}${path}\n`);
    }
    terminal.stdout.write('Canticle records.\n');
    await stop.stopped;
  } finally {
    stop.forget();
    for (const proxy of proxies) await proxy.close();
    writer.close();
  }
  const removed = removalsText(writer.removed);
  terminal.stdout.write(
    `${flags.out}: ${writer.entries} exchanges. Removed: ${removed || 'nothing'}.\n`,
  );
}

function opened(path: string, version: string): HarWriter {
  try {
    return new HarWriter(path, { name: 'canticle', version });
  } catch (error) {
    throw new CommandFailed(`failed to write '${path}': ${causeOf(error)}`);
  }
}
