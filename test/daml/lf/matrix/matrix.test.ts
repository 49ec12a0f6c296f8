/**
 * Upstream's UpgradesMatrix. For each change between two versions of a template, code of the second version uses a contract of the
 * first in every possible way. Each use ends as the change states.
 */
import { LedgerError } from 'canticle';
import { readDar } from '../../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { uncheckedPackages } from '../../../support/daml/lf-probe.js';
import { create, exercise, startLedgerApi, type LedgerApi } from '../../../support/ledger-api.js';
import { CHANGES, type Change } from './changes.js';
import {
  BOB,
  BY_ID,
  BY_KEY,
  common,
  globalClient,
  IFACE,
  localClient,
  versionOf,
  type Operation,
} from './model.js';

const LABEL = 'test-key';
const CAUGHT = 'some exception was caught';
const OPERATIONS: readonly Operation[] = [...BY_ID, ...BY_KEY];

const worlds = Object.entries(CHANGES).map(([name, change]) => {
  const first = versionOf(name, '1.0.0', change.first ?? {});
  const second = versionOf(name, '2.0.0', change.second ?? {});
  const payload = change.payload?.(first.id) ?? {};
  const local = localClient(first, second, { payload, key: change.key?.(BOB) ?? {} });
  return { name, change, first, second, local, global: globalClient(second) };
});
type World = (typeof worlds)[number];

/** Combinations that are impossible or redundant. */
function isLeftOut(name: string, { argumentJson }: Change, operation: Operation): boolean {
  const isByInterface = operation === 'ExerciseInterface' || operation === 'FetchInterface';
  const isByKey = (BY_KEY as readonly Operation[]).includes(operation);
  if (name.startsWith('ThrowingInterfaceChoice')) return operation !== 'ExerciseInterface';
  if (name === 'ThrowingView') return !isByInterface;
  // The first version's key is not valid in the second.
  if (name === 'InvalidKeyDowngradeAdditionalField' || name === 'DifferentlyNamedKeyField')
    return isByKey;
  // Needs Bob's authority before it needs the contract.
  if (name === 'ChangedMaintainers' && operation === 'QueryNByKey') return true;
  return argumentJson !== undefined && operation !== 'Exercise' && operation !== 'ExerciseByKey';
}

let api: LedgerApi;
let alice: string;
let bob: string;
beforeAll(async () => {
  const all = worlds.flatMap(({ first, second, local, global }) => [first, second, local, global]);
  api = await startLedgerApi({ packages: uncheckedPackages([common, ...all]) });
  [alice, bob] = await api.parties('alice', 'bob');
});
afterAll(() => api.client.close());

const isByKey = (operation: Operation): boolean =>
  (BY_KEY as readonly Operation[]).includes(operation);

/** `success`, the code of a refusal, or a failure with its message; a reading fault is one of the commands. */
function outcomeOf(code: string, cause: string): string {
  const message = /Failure: (\w+)|\) (\w+)$|: (\w+)$/.exec(cause);
  return code === 'DAML_FAILURE'
    ? `DAML_FAILURE: ${message?.slice(1).find(Boolean) ?? cause}`
    : code;
}

class Cells {
  private readonly ids: {
    readonly contract: string;
    readonly local: string;
    readonly global: string;
  };
  private readonly payload: object;
  private readonly key: object;

  constructor(private readonly world: World) {
    const { change, first, local, global } = world;
    this.payload = { p1: alice, p2: bob, label: LABEL, ...change.payloadJson };
    this.key = { label: LABEL, maintainers: [alice], ...change.keyJson?.(bob) };
    const made = (id: string, entity: string, payload: unknown): string =>
      api.canticle.participant.create(`${id}:Mod:${entity}`, payload, { actAs: alice });
    const client = { alice, bob, label: LABEL };
    made(first.id, 'T', this.payload);
    this.ids = {
      local: made(local.id, 'Client', client),
      global: made(global.id, 'Client', client),
      contract: made(first.id, 'T', this.payload),
    };
  }

  /** In-process, as a choice of a client. */
  byChoice(operation: string, origin: 'Local' | 'Global' | 'Disclosed'): string {
    const { participant, network } = api.canticle;
    const { ids, world } = this;
    const isLocal = origin === 'Local';
    const argument = isLocal
      ? {}
      : isByKey(operation.replace('Try', '') as Operation)
        ? this.key
        : ids.contract;
    const client = isLocal ? world.local : world.global;
    const contract = network.contracts.get(ids.contract)!.instance;
    const disclosedContracts =
      origin === 'Disclosed' ? [{ contract, synchronizerId: undefined }] : [];
    try {
      const { result } = participant.exercise(
        `${client.id}:Mod:Client`,
        isLocal ? ids.local : ids.global,
        operation,
        argument,
        { actAs: alice, disclosedContracts },
      );
      return result === CAUGHT ? CAUGHT : 'success';
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return outcomeOf(error.code, error.details.cause);
    }
  }

  /** Over HTTP, as a command. */
  async byCommand(
    operation: 'Exercise' | 'ExerciseInterface' | 'ExerciseByKey',
    origin: 'Local' | 'Global' | 'Disclosed',
  ): Promise<string> {
    const { ids, world, key } = this;
    const template = `#${world.second.name}:Mod:T`;
    const choiceArgument = world.change.argumentJson ?? {};
    const choice = 'TemplateChoice';
    const command = {
      Exercise: exercise(template, ids.contract, choice, choiceArgument),
      ExerciseInterface: exercise(IFACE, ids.contract, 'InterfaceChoice'),
      ExerciseByKey: {
        ExerciseByKeyCommand: { templateId: template, contractKey: key, choice, choiceArgument },
      },
    }[operation];
    const commands =
      origin === 'Local' ? [create(`${world.first.id}:Mod:T`, this.payload), command] : [command];
    const { status, body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(commands, { actAs: alice }),
    );
    if (status === 200) return 'success';
    return typeof body === 'string' ? body : outcomeOf(body.code, body.cause);
  }
}

test.each(worlds.map((world) => [world.name, world] as const))(
  '%s has the expected outcome in each cell',
  async (name, world) => {
    const { change, first, second, local } = world;
    for (const version of [first, second])
      expect(readDar(buildDar(version, common)).main.id).toBe(version.id);
    const cells = new Cells(world);
    const outcomes: Record<string, string> = {};
    const operations = OPERATIONS.filter((operation) => !isLeftOut(name, change, operation));
    for (const status of ['Vetted', 'Unvetted']) {
      if (status === 'Unvetted')
        await api.ok('/v2/package-vetting/update', {
          changes: [
            {
              operation: {
                Unvet: { value: { packages: [first, local].map(({ id }) => ({ packageId: id })) } },
              },
            },
          ],
        });
      for (const origin of ['Global', 'Disclosed', 'Local'] as const) {
        if (origin === 'Local' && status === 'Unvetted') continue;
        for (const operation of operations) {
          const cell = `${operation}/${origin}/${status}`;
          if (
            operation === 'ExerciseByKey' ||
            (origin !== 'Local' && (operation === 'Exercise' || operation === 'ExerciseInterface'))
          )
            outcomes[`${cell}/Command`] = await cells.byCommand(operation, origin);
          if (change.argumentJson !== undefined) continue;
          outcomes[`${cell}/ChoiceBody/NoCatch`] = cells.byChoice(operation, origin);
          outcomes[`${cell}/ChoiceBody/AttemptCatch`] = cells.byChoice(`Try${operation}`, origin);
        }
      }
    }
    const others = Object.entries(outcomes).filter(([, outcome]) => outcome !== change.outcome);
    expect(others).toEqual([]);
  },
);
