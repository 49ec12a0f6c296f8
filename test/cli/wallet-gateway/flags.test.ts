/** The flags of the Wallet Gateway, and the errors of its port. */
import { Command } from 'commander';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runSandbox } from '../../../src/cli/sandbox.js';
import { addSandboxFlags, readSandboxFlags } from '../../../src/cli/sandbox-flags.js';

function flagsOf(...args: string[]) {
  const command = addSandboxFlags(new Command().exitOverride());
  command.parse(args, { from: 'user' });
  return readSandboxFlags(undefined, command.opts());
}

it.each([
  [[], undefined],
  [['--wallet-gateway'], { port: 3030 }],
  [['--wallet-gateway-port', '0'], { port: 0 }],
  [['--wallet-gateway', '--wallet-gateway-port', '3131'], { port: 3131 }],
  [['--wallet-gateway-port', '3131', '--wallet-gateway'], { port: 3131 }],
])('%j', (args, walletGateway) => {
  expect(flagsOf(...args).options.walletGateway).toEqual(walletGateway);
});

it('names the flag of a taken port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const flags = flagsOf('--json-api-port', '0', '--wallet-gateway-port', String(port));
  const silent = { write: () => true };
  const stdin = new EventEmitter();
  const terminal = { stdout: silent, stderr: silent, stdin, signals: new EventEmitter() };
  await expect(runSandbox(flags, terminal as never)).rejects.toThrow(
    `failed to listen on 127.0.0.1:${port}: the port is taken. Choose another with --wallet-gateway-port`,
  );
  server.close();
});
