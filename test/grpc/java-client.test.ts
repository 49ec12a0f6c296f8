/**
 * A client in Java, on grpc-java and Netty, like the server of a participant. The machine must have them (Debian:
 * libgrpc-java, libnetty-java, libperfmark-java, libprotobuf-java and a JDK): where they are missing, the test says so.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCanticle } from 'canticle';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const JARS = process.env['CANTICLE_JARS'] ?? '/usr/share/java';
const NEEDED = /^(grpc-|netty-|guava|failureaccess|protobuf|perfmark|gson|opencensus|error_prone)/;
const found = existsSync(JARS) ? readdirSync(JARS) : [];
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const missing = [
  ...(works('javac', '--version') ? [] : ['javac']),
  // grpc-java's packages of Debian only recommend the last two.
  ...[
    'grpc-netty.jar',
    'grpc-stub.jar',
    'protobuf.jar',
    'netty-transport.jar',
    'perfmark-api.jar',
  ].filter((jar) => !found.includes(jar)),
];
const folder = useTemporaryFolder();
const title = 'serves a whole workflow of an application in Java';

if (missing.length > 0) test.skip(`${title} (needs tools: ${missing.join(', ')})`, () => undefined);
else
  it(title, async () => {
    const canticle = await startCanticle({ grpc: true });
    const grpc = await GrpcClient.connect(canticle.urls.grpc!);
    const definitions = join(folder(), 'definitions');
    writeFileSync(definitions, grpc.descriptors);
    const jars = found.filter((jar) => NEEDED.test(jar)).map((jar) => join(JARS, jar));
    const source = join(__dirname, 'clients', 'Workflow.java');
    const args = ['-cp', jars.join(':'), source, definitions, canticle.urls.grpc!];
    const { stdout } = await promisify(execFile)('java', args);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'version 3.5.14',
      'updates [one, two]',
      'active 2',
      'refused ALREADY_EXISTS true true',
    ]);
    grpc.close();
    await canticle.close();
  });
