/**
 * The same commands in-process and over HTTP: alternating creates and exercises, one after the other. The server is
 * a separate process. The two take turns, round by round, so that other load affects both equally.
 */
import { fileURLToPath } from 'node:url';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { IOU, iou, SUBMIT_AND_WAIT } from './measure/iou.js';
import { run } from './measure/load.js';
import { figure, machine, middle, milliseconds, ratio } from './measure/report.js';
import { announce, startServer, type Ready } from './measure/server.js';

const ROUNDS = 15;
/** Warm-up rounds. */
const WARM_UP = 6;
/** Commands of each round, 50% of them exercises. */
const REQUESTS = 1000;
const COMMANDS = 8000;
const CONCURRENCY = 8;
const CHOICE = 'Iou_Split';
const ARGUMENT = { splitAmount: '1.0' };

interface World {
  readonly bank: string;
  readonly alice: string;
}

interface Site extends Ready, World {
  /** Contracts to exercise choices on. */
  readonly contractIds: readonly string[];
}

function populate({ participant }: Pick<Canticle, 'participant'>): World {
  return { bank: participant.allocateParty('bank'), alice: participant.allocateParty('alice') };
}

const payloadOf = ({ bank, alice }: World) => iou(bank, alice);

async function serve(): Promise<void> {
  const canticle = await startCanticle({ seed: 1 });
  const world = populate(canticle);
  const contractIds = Array.from({ length: ((WARM_UP + ROUNDS) * REQUESTS) / 2 }, () =>
    canticle.participant.create(IOU, payloadOf(world), { actAs: [world.bank, world.alice] }),
  );
  announce<Site>({ port: canticle.port, ...world, contractIds });
}

let sent = 0;

/** Creates and exercises in turn. */
function nextBody({ contractIds, ...world }: Site): string {
  const n = (sent += 1);
  const command =
    n % 2 === 0
      ? { CreateCommand: { templateId: IOU, createArguments: payloadOf(world) } }
      : {
          ExerciseCommand: {
            templateId: IOU,
            contractId: contractIds[(n - 1) / 2],
            choice: CHOICE,
            choiceArgument: ARGUMENT,
          },
        };
  return JSON.stringify({
    commands: [command],
    commandId: `command-${n}`,
    userId: 'bench',
    actAs: [world.bank, world.alice],
  });
}

/** @returns commands per second */
const overHttp = (site: Site): Promise<number> =>
  run({
    port: site.port,
    path: SUBMIT_AND_WAIT,
    requests: REQUESTS,
    concurrency: CONCURRENCY,
    body: () => nextBody(site),
  });

/** @returns runs the commands and returns the number per second */
function inProcess(): () => Promise<number> {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const world = populate(canticle);
  const payload = payloadOf(world);
  const options = { actAs: [world.bank, world.alice] };
  const commands = (): void => {
    for (let n = 0; n < COMMANDS; n += 2) {
      const contractId = participant.create(IOU, payload, options);
      participant.exercise(IOU, contractId, CHOICE, ARGUMENT, options);
    }
  };
  return async () => (COMMANDS * 1000) / (await milliseconds(commands));
}

async function main(): Promise<void> {
  machine();
  const server = await startServer<Site>(fileURLToPath(import.meta.url), ['serve']);
  try {
    const local = inProcess();
    const turns: { http: number; local: number }[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
      turns.push({ http: await overHttp(server.ready), local: await local() });
    const measured = turns.slice(WARM_UP);
    figure(
      'over HTTP, create then exercise',
      middle(measured.map(({ http }) => http)),
      'commands/s',
    );
    figure('in-process, the same', middle(measured.map((turn) => turn.local)), 'commands/s');
    const ratios = measured.map((turn) => turn.local / turn.http);
    ratio('in-process to HTTP', middle(ratios), { min: 10 });
  } finally {
    server.stop();
  }
}

await (process.argv[2] === 'serve' ? serve() : main());
