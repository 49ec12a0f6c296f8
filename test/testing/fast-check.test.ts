/** The arbitraries: whatever they give is valid, the same seed gives the same, and they shrink to something small. */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import {
  decodeValue,
  encodeValue,
  template as templateOf,
  Iou,
  quickstartPackage,
  type DamlType,
} from '../../src/daml/index.js';
import { READING_RULES, APIS, operationsOf, Reader, loadValidators } from '../../src/spec/index.js';
import {
  choiceArgument,
  createCommand,
  damlJson,
  damlValue,
  exerciseCommand,
  ledgerHistory,
  requestBody,
} from '../../src/testing/fast-check.js';
import { packages, typesPackage } from '../support/daml/arbitrary-daml.js';
import { IOU } from '../support/ledger.js';
import { check, isUsualRun } from '../support/property.js';

const canticle = createCanticle({ seed: 7 });
const { participant } = canticle;
const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
  string,
  string,
];

/** Every template of the instance that has a payload and choices, the token standard's among them. */
const templates = participant.engine.packages.ids().flatMap((id) => {
  const { name, templates: own } = participant.engine.packages.package(id)!;
  return [...own.keys()].map((template) => `#${name}:${template}`);
});

const smallest = <T>(arbitrary: fc.Arbitrary<T>, fails: (value: T) => boolean): T => {
  const { counterexample } = fc.check(
    fc.property(arbitrary, (value) => !fails(value)),
    { seed: 7, numRuns: 500 },
  );
  return counterexample![0];
};

describe('values', () => {
  it.each(templates)('of %s are equal after encoding and decoding', (template) => {
    const lookup = participant.engine.packages;
    const { payloadType } = templateOf(
      lookup,
      lookup.packageIdForName(template.slice(1).split(':')[0]!) +
        template.slice(template.indexOf(':')),
    )!;
    check(
      fc.property(damlValue(canticle, template), (value) => {
        const json = JSON.parse(JSON.stringify(encodeValue(lookup, payloadType, value))) as unknown;
        expect(decodeValue(lookup, payloadType, json)).toEqual(value);
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it('of recursive types are finite, with any order of constructors', () => {
    const chain: DamlType = {
      kind: 'con',
      id: `${typesPackage.id}:Arbitrary.Types:Chain`,
      args: [{ kind: 'text' }],
    };
    check(
      fc.property(damlJson(typesPackage, chain), (json) => {
        decodeValue(packages, chain, json);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it('contain parties and contracts from the given pools', () => {
    const pools = { parties: [alice, bob] };
    check(
      fc.property(damlJson(quickstartPackage, IOU, pools), (payload) => {
        const { issuer, owner, observers } = payload as {
          issuer: string;
          owner: string;
          observers: string[];
        };
        for (const party of [issuer, owner, ...observers]) expect([alice, bob]).toContain(party);
      }),
      { seed: 7 },
    );
  });

  it('shrink', () => {
    const payload = smallest(
      damlJson(canticle, IOU),
      (json) => (json as { currency: string }).currency.length > 1,
    );
    expect(payload).toMatchObject({ amount: '0.0000000000', observers: [] });
  });

  it('are rejected for a missing package or choice', () => {
    expect(() => damlJson(canticle, '#nowhere:M:T')).toThrow(
      "Failed to find '#nowhere:M:T': the source has no such package.",
    );
    expect(() => choiceArgument(canticle, IOU, 'Iou_Burn')).toThrow(
      "Failed to find the choice 'Iou_Burn' of '#canticle-quickstart:Quickstart.Iou:Iou': the choices are Archive, Iou_AddObserver, Iou_Split, Iou_Transfer.",
    );
  });

  it('suggest the nearest package and template', () => {
    expect(() => damlJson(canticle, '#canticle-quickstar:Quickstart.Iou:Iou')).toThrow(
      'the source has no such package. Did you mean #canticle-quickstart?',
    );
    expect(() => createCommand(canticle, '#canticle-quickstart:Quickstart.Iou:Iuo')).toThrow(
      'canticle-quickstart has no Quickstart.Iou:Iuo. Did you mean Quickstart.Iou:Iou?',
    );
  });
});

describe('commands', () => {
  const submit = (commands: unknown[]) =>
    canticle.handle({
      path: '/v2/commands/submit-and-wait-for-transaction',
      body: {
        commands: {
          commands,
          commandId: `command-${canticle.requests.list().length}`,
          userId: 'participant_admin',
          actAs: [alice, bob],
        },
      },
    });

  it('are accepted, or rejected only by the code of the template', async () => {
    const pools = { parties: [alice, bob] };
    const contractId = participant.create(
      IOU,
      { issuer: alice, owner: bob, currency: 'EUR', amount: '5.0', observers: [] },
      { actAs: [alice, bob] },
    );
    const commands = fc.oneof(
      createCommand(canticle, IOU, pools),
      exerciseCommand(canticle, IOU, 'Iou_Split', { ...pools, contractIds: [contractId] }),
    );
    const seen = new Set<string>();
    const start = canticle.snapshot();
    await check(
      fc.asyncProperty(commands, async (command) => {
        canticle.revert(start);
        const { status, json } = await submit([command]);
        const { code } = json() as { code?: string };
        seen.add(status === 200 ? 'accepted' : code!);
      }),
      { numRuns: 60, seed: 7 },
    );
    if (!isUsualRun) return;
    expect([...seen].sort()).toEqual(['TEMPLATE_PRECONDITION_VIOLATED', 'accepted']);
  });
});

describe('request bodies', () => {
  const apis = Object.keys(APIS) as (keyof typeof APIS)[];
  const rows = apis.flatMap((api) =>
    operationsOf(api)
      .filter(
        ({ request }) =>
          request?.contentType === 'application/json' && request.schema !== undefined,
      )
      .map(({ operationId }) => [api, operationId] as const),
  );

  it.each(rows)('%s %s: match the schema and can be read', async (api, operationId) => {
    const { schema } = operationsOf(api).find((row) => row.operationId === operationId)!.request!;
    const { requests } = await loadValidators(api);
    const reader = new Reader(APIS[api].schemas, READING_RULES[api]);
    check(
      fc.property(requestBody(operationId), (body) => {
        expect(requests[operationId]!(body)).toBe(true);
        expect(reader.read(schema!, body).errors).toBeUndefined();
      }),
      { numRuns: 15, seed: 7 },
    );
  });

  it('shrink to the required fields', () => {
    const body = smallest(requestBody('postV2Parties'), () => true);
    expect(body).toEqual({});
  });

  it('are rejected for an operation without a body', () => {
    expect(() => requestBody('getV2Version')).toThrow(
      "Failed to generate bodies for 'getV2Version': this operation has no JSON body.",
    );
    expect(() => requestBody('getV9Version')).toThrow(
      'no API has this id. Did you mean getV2Version?',
    );
  });
});

describe('histories', () => {
  const world = () =>
    createCanticle({ seed: 7, synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
  const histories = ledgerHistory(quickstartPackage, [IOU], { maxLength: 30 });

  it('contain accepted and rejected steps of every kind', () => {
    const seen = new Set<string>();
    check(
      fc.property(histories, (history) => {
        for (const { step, outcome: became } of history.run(world()).outcomes)
          seen.add(`${step.kind} ${became === 'accepted' ? 'accepted' : 'refused'}`);
      }),
      { numRuns: 60, seed: 7 },
    );
    if (!isUsualRun) return;
    expect([...seen].sort()).toEqual([
      'advanceTime accepted',
      'assign accepted',
      'assign refused',
      'create accepted',
      'create refused',
      'exercise accepted',
      'exercise refused',
      'unassign accepted',
      'unassign refused',
    ]);
  });

  it('are deterministic for a seed, with several participants too', () => {
    const two = () => createCanticle({ seed: 7, participants: [{ name: 'one' }, { name: 'two' }] });
    check(
      fc.property(histories, (history) => {
        const [left, right] = [two(), two()];
        expect(history.run(left)).toEqual(history.run(right));
        expect(left.participants.map(({ ledgerEnd }) => ledgerEnd)).toEqual(
          right.participants.map(({ ledgerEnd }) => ledgerEnd),
        );
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it('shrink to the relevant steps, and are readable', () => {
    // Each shrunk history runs in a separate network.
    const short = ledgerHistory(quickstartPackage, [IOU], { maxLength: 12 });
    const history = smallest(short, (candidate) =>
      candidate
        .run(world())
        .outcomes.some(
          ({ step, outcome: became }) => step.kind === 'unassign' && became === 'accepted',
        ),
    );
    expect(history.steps.map(({ kind }) => kind)).toEqual(['create', 'unassign']);
    expect(String(history)).toMatch(
      /^history of alice, bob, carol:\n {2}\{"kind":"create".*\{\{party alice\}\}.*\n {2}\{"kind":"unassign"/,
    );
  });

  it('suggest the nearest package and template', () => {
    expect(() => damlJson(canticle, '#canticle-quickstar:Quickstart.Iou:Iou')).toThrow(
      'the source has no such package. Did you mean #canticle-quickstart?',
    );
    expect(() => createCommand(canticle, '#canticle-quickstart:Quickstart.Iou:Iuo')).toThrow(
      'canticle-quickstart has no Quickstart.Iou:Iuo. Did you mean Quickstart.Iou:Iou?',
    );
  });
});

test('accepts a template as an object or by its id', () => {
  const sampled = <T>(of: fc.Arbitrary<T>) =>
    JSON.stringify(fc.sample(of, { seed: 5, numRuns: 3 }), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  const forms = [IOU, Iou].map((iou) => [
    sampled(damlJson(canticle, iou)),
    sampled(createCommand(canticle, iou)),
    sampled(exerciseCommand(canticle, iou, 'Iou_Split')),
    sampled(ledgerHistory(canticle, [iou])),
  ]);
  expect(forms[1]).toEqual(forms[0]);
});
