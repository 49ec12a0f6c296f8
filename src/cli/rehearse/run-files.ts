/** Sends the requests of recordings or of a scenario to a Canticle of one release. */
import { dirname } from 'node:path';
import { beginTest } from '../../assembly/rehearsal/current-test.js';
import { writePlace, writeStart } from '../../assembly/rehearsal/exchange-file.js';
import { readNamedFile } from '../../assembly/dar-files.js';
import { readHar } from '../../bridge/har-reader.js';
import { ParticipantClient } from '../../bridge/upstream/participant-client.js';
import { RemoteSteps } from '../../bridge/upstream/remote-steps.js';
import { scenarioExchanges } from '../../bridge/upstream/scenario-exchanges.js';
import { asRecorded, type Verifiable } from '../../bridge/verify.js';
import { COMMAND_PATIENCE_MS, HttpSide } from '../../client/http-side.js';
import { started, verifyOne } from '../recording/verify.js';
import { documentIn } from '../recording/verify-scenario.js';
import type { RehearseFlags } from './rehearse.js';

type Environment = Readonly<Record<string, string | undefined>> & {
  readonly CANTICLE_REHEARSAL: string;
};

export async function runFiles(environment: Environment, flags: RehearseFlags): Promise<void> {
  const names = Object.keys(environment);
  const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  const { CANTICLE_REHEARSAL: folder } = environment;
  setAll(environment);
  try {
    for (const file of flags.recording) await runRecording(file, folder, flags);
    if (flags.recording.length === 0) await runScenario(flags.scenario!, folder, flags);
  } finally {
    beginTest(undefined);
    setAll(before);
  }
}

function setAll(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** The scenario, if there is one, creates the world of the recording. */
async function runRecording(file: string, folder: string, flags: RehearseFlags): Promise<void> {
  beginTest({ file, title: '' });
  await verifyOne(file, flags, (path) =>
    placed(asRecorded(readHar(path)), folder, (_, n) => `${path}, exchange ${n}`),
  );
}

async function runScenario(
  file: string,
  folder: string,
  { dar: dars = [] }: RehearseFlags,
): Promise<void> {
  const document = documentIn(file);
  beginTest({ file, title: '' });
  const { head } = document;
  const { seed, synchronizers, participants } = head;
  const canticle = await started({ seed, synchronizers, participants });
  try {
    const { origin } = new URL(canticle.urls.ledgerApi);
    const system = new HttpSide(origin, { patience: COMMAND_PATIENCE_MS });
    let commands = 0;
    const client = new ParticipantClient({
      userId: 'participant_admin',
      rightsTo: undefined,
      newCommandId: () => `rehearse-${(commands += 1)}`,
    });
    const steps = new RemoteSteps(client, {
      synchronizers: canticle.network.synchronizers.map(({ alias, id }) => ({ alias, id })),
      participant: head.participants?.[0]?.name ?? 'sandbox',
      suffix: '',
      readFile: (path) => readNamedFile(path, dirname(file)),
    });
    const side = { system, client, steps };
    const archives = dars.map((path) => readNamedFile(path));
    const placeOf = (each: Verifiable) =>
      `${file}, ${('of' in each ? each.of : undefined) ?? 'the start'}`;
    const exchanges = scenarioExchanges(document, side, archives);
    // The answers are in the file of calls.
    for await (const _ of placed(exchanges, folder, placeOf));
  } finally {
    await canticle.close();
  }
}

/** The exchanges. Once the next one is wanted, the calls of the last one have their place. */
async function* placed(
  all: AsyncIterable<Verifiable>,
  folder: string,
  placeOf: (each: Verifiable, n: number) => string,
): AsyncGenerator<Verifiable> {
  writeStart(folder);
  let n = 0;
  for await (const each of all) {
    yield each;
    writePlace(folder, placeOf(each, (n += 1)));
  }
}
