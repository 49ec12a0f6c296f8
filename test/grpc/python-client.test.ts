/**
 * A client in Python, on grpcio and what protoc generates. The machine must have both (Debian: python3-grpcio, python3-protobuf,
 * protobuf-compiler): where they are missing, the test says so.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { startCanticle } from 'canticle';
import { snippetsOf } from '../readme/snippets.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const README = join(__dirname, '..', '..', 'README.md');
const GUIDE = join(__dirname, '..', '..', 'docs', 'guides', 'grpc.md');
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const python = ['python3', '/usr/bin/python3'].find((each) =>
  works(each, '-c', 'import grpc, google.protobuf'),
);
const missing = [
  ...(python === undefined ? ['grpcio'] : []),
  ...(works('protoc', '--version') ? [] : ['protoc']),
];
const folder = useTemporaryFolder();
const title = 'serves a whole workflow of an application in Python';

if (missing.length > 0) test.skip(`${title} (needs tools: ${missing.join(', ')})`, () => undefined);
else
  it(title, async () => {
    const canticle = await startCanticle({ grpc: true });
    const grpc = await GrpcClient.connect(canticle.urls.grpc!);
    const generated = join(folder(), 'generated');
    mkdirSync(generated);
    writeFileSync(join(folder(), 'definitions'), grpc.descriptors);
    const from = [`--descriptor_set_in=${join(folder(), 'definitions')}`];
    const run = promisify(execFile);
    await run('protoc', [...from, `--python_out=${generated}`, ...grpc.files]);
    const script = join(__dirname, 'clients', 'workflow.py');
    const address = canticle.urls.grpc!;
    const { stdout } = await run(python!, [script, generated, address]);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'version 3.5.14',
      "updates ['one', 'two']",
      "active ['1.5000000000', '2.5000000000']",
      "refused ALREADY_EXISTS ['ErrorInfo', 'RequestInfo', 'DUPLICATE_COMMAND']",
    ]);
    // The code in README and the guide.
    const shownIn = async (page: string) => {
      const [snippet] = snippetsOf(readFileSync(page, 'utf8')).filter(
        ({ tag }) => tag === 'python',
      );
      const shown = snippet!.text.replace('localhost:6865', address);
      return (await run(python!, ['-c', shown], { env: { PYTHONPATH: generated } })).stdout;
    };
    expect(await shownIn(README)).toMatch(/^\d+\n$/);
    expect(await shownIn(GUIDE)).toMatch(/^alice::1220[0-9a-f]{64}\n\d+\n$/);
    grpc.close();
    await canticle.close();
  });
