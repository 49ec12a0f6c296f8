/** The views of a transaction and what they tell: parts of a request whose cost is not seen apart over the API. */
import { createHash } from 'node:crypto';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { createCanticle } from 'canticle';
import { bytesOf } from '../../../src/network/traffic/message-bytes.js';
import { Noise } from '../../../src/network/traffic/noise.js';
import { reassignmentCost } from '../../../src/network/traffic/reassignment-cost.js';
import { viewContents } from '../../../src/network/traffic/view-contents.js';
import { viewsOf } from '../../../src/network/traffic/views.js';
import type { ReassignmentEvent } from '../../../src/network/model/updates.js';
import { modelPackage } from '../../support/daml/model-package.js';

const PARTICIPANT = 'sandbox::1220';
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  [PARTICIPANT]: ['here'],
  alice: ['here'],
  bob: ['here', 'there'],
};
const contract = (contractId: string, signatories: readonly string[], observers = ['']) => ({
  contractId,
  templateId: `${modelPackage.id}:Test:Dummy`,
  packageName: modelPackage.name,
  payload: { operator: signatories[0]! },
  signatories,
  observers: observers.filter((party) => party !== ''),
  createdAt: 0n,
  blob: new Uint8Array(400),
});
const look = (nodeId: number, parent: number, more: object = {}) => ({
  kind: 'exercise' as const,
  nodeId,
  parent,
  contract: contract('00aa', ['alice']),
  templateId: `${modelPackage.id}:Test:Dummy`,
  interfaceId: undefined,
  choice: 'Look',
  packageId: modelPackage.id,
  argument: {},
  consuming: false,
  actingParties: ['alice'],
  choiceObservers: [],
  result: {},
  lastDescendant: nodeId,
  ...more,
});
const views = (...nodes: readonly object[]) =>
  viewsOf(nodes as never, PARTICIPANT, (party) => HOSTS[party] ?? []);

describe('views of a transaction', () => {
  it("only root views need the confirmation of the participant's party", () => {
    const created = { kind: 'create', nodeId: 1, parent: 0, contract: contract('00bb', ['alice']) };
    const [view] = views(look(0, -1), created);
    expect(view!.quorums).toEqual([['alice', PARTICIPANT], ['alice']]);
    const two = views(look(0, -1), look(1, -1));
    expect(two.map(({ quorums }) => quorums)).toEqual([
      [['alice', PARTICIPANT]],
      [['alice', PARTICIPANT]],
    ]);
  });

  it('begin at a node that informs an additional participant (B-TRF-003)', () => {
    const [root] = views(
      look(0, -1),
      look(1, 0, { choiceObservers: ['bob'] }),
      look(2, 1),
      look(3, 0),
    );
    expect(root!.core.map(({ nodeId }) => nodeId)).toEqual([0, 3]);
    const [below] = root!.subviews;
    expect(below!.core.map(({ nodeId }) => nodeId)).toEqual([1, 2]);
    expect([...below!.participants].sort()).toEqual(['here', 'there']);
    expect([...root!.informees]).toEqual(['alice', PARTICIPANT]);
  });

  it('have the parties of a node in order, with the confirming ones (B-TRF-007)', () => {
    const created = { kind: 'create', nodeId: 0, parent: -1 };
    const [few] = views({ ...created, contract: contract('00bb', ['zoe'], ['zoe', 'bob', 'al']) });
    expect([...few!.informees]).toEqual(['al', 'bob', PARTICIPANT, 'zoe']);
    expect(few!.quorums).toEqual([[PARTICIPANT, 'zoe']]);
  });

  it('have five or more parties of a node in the order of Scala’s hash sets (B-TRF-007)', () => {
    const created = { kind: 'create', nodeId: 0, parent: -1 };
    const many = ['e', 'd', 'c', 'b', 'a'];
    const [seen] = views({ ...created, contract: contract('00bb', ['a'], many) });
    expect([...seen!.informees]).toEqual(['e', 'b', 'c', 'd', 'a', PARTICIPANT]);
    const [signed] = views({ ...created, contract: contract('00bb', many, many) });
    expect(signed!.quorums).toEqual([['e', 'b', 'c', 'd', 'a', PARTICIPANT]]);
  });

  it('include rolled-back nodes', () => {
    const inner = { kind: 'rolledBack', nodeId: 2, parent: 1, action: look(2, 1) };
    const [root, ...more] = views(look(0, -1), { kind: 'rollback', nodeId: 1, parent: 0 }, inner);
    expect(more).toEqual([]);
    expect(root!.core).toHaveLength(2);
  });

  it.each(['fetch', 'exercise'])('record whether a %s used a key', (kind) => {
    const { participant } = createCanticle({ packages: [modelPackage] });
    const length = (more: object) => {
      const [view] = views({ ...look(0, -1, more), kind });
      return viewContents(view!, participant.engine.packages, new Noise()).length;
    };
    expect(length({ byKey: true }) - length({})).toBe(2);
  });
});

describe('noise', () => {
  it('has UUIDs with the length of real ones', () => {
    expect(new Noise().uuid()).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });
});

describe('the message of a view has the same fields as Canton’s', () => {
  /** By the number of a field: texts as they are, messages in the same way, of other bytes how many there are. */
  type Shape = 'text' | { readonly [field: number]: Shape };
  type Fields = Record<number, unknown[]>;

  function read(bytes: Uint8Array, shape: Exclude<Shape, 'text'>): Fields {
    const [fields, reader]: [Fields, BinaryReader] = [{}, new BinaryReader(bytes)];
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      const inner = shape[field];
      const value = wireType === WireType.Varint ? reader.int32() : reader.bytes();
      const decoded =
        typeof value === 'number'
          ? value
          : inner === 'text'
            ? Buffer.from(value).toString()
            : inner === undefined
              ? value.length
              : read(value, inner);
      (fields[field] ??= []).push(decoded);
    }
    return fields;
  }

  const exercised: Shape = { 1: 'text', 2: 'text', 3: {}, 4: 'text', 9: 'text', 10: 'text' };
  const shape = {
    4: 'text',
    6: {
      1: { 1: 'text' },
      2: { ...exercised, 11: 'text' },
      3: { 1: 'text', 2: 'text', 4: 'text', 5: 'text' },
    },
    2: {},
    3: {},
  } as const;
  const contentsOf = (...nodes: readonly object[]): Fields => {
    const { engine } = createCanticle({ packages: [modelPackage] }).participant;
    const [view] = views(...nodes);
    return read(bytesOf(viewContents(view!, engine.packages, new Noise())), shape);
  };
  const DUMMY = `${modelPackage.id}:Test:Dummy`;
  const created = (nodeId: number, parent: number, id: string) => ({
    ...{ kind: 'create', nodeId, parent, contract: contract(id, ['alice']) },
  });
  /** Of a contract: its bytes, of whatever number, and whether it is consumed. */
  const some = (consumed?: number) => ({
    1: [expect.any(Number)],
    ...(consumed !== undefined && { 2: [consumed] }),
  });

  it('for an exercise, the contracts that it uses and creates, and those that subviews consume', () => {
    const inner = look(1, 0, { choiceObservers: ['bob'], contract: contract('00ee', ['alice']) });
    expect(
      contentsOf(
        look(0, -1, { consuming: true, byKey: true, aborted: true }),
        inner,
        created(2, 1, '00bb'),
        look(3, 0, { consuming: true, contract: contract('00bb', ['alice']) }),
        created(4, 0, '00cc'),
        look(5, 0, { contract: contract('00dd', ['alice']) }),
      ),
    ).toMatchObject({
      2: [some(1), some()],
      3: [some()],
      4: ['00bb'],
      6: [
        {
          2: [
            {
              1: ['00aa'],
              2: ['Look'],
              3: [{ 1: [expect.any(Number)] }],
              4: ['alice'],
              5: [1],
              6: [32],
              8: [1],
              10: [DUMMY],
            },
          ],
        },
      ],
    });
  });

  it('for a create, and for a transient contract', () => {
    expect(contentsOf(created(0, -1, '00bb'))).toMatchObject({
      3: [some()],
      6: [{ 1: [{ 1: ['00bb'], 2: [32] }] }],
    });
    const consuming = look(2, 0, { consuming: true, contract: contract('00bb', ['alice']) });
    const fields = contentsOf(look(0, -1), created(1, 0, '00bb'), consuming);
    expect([fields[2], fields[3], fields[4]]).toEqual([[some()], [some(1)], undefined]);
  });

  it('for a fetch by interface', () => {
    const interfaceId = `${modelPackage.id}:Test:Face`;
    const fetched = { ...look(0, -1, { byKey: true, interfaceId }), kind: 'fetch' };
    expect(contentsOf(fetched)[6]).toEqual([
      { 3: [{ 1: ['00aa'], 2: ['alice'], 3: [1], 4: [DUMMY], 5: [interfaceId] }] },
    ]);
  });
});

describe('a reassignment', () => {
  /** A text that cannot be compressed to less than 75% of its bytes. */
  const name = (length: number) => {
    let text = '';
    while (text.length < length)
      text += createHash('sha256').update(text).digest('base64').slice(0, 43);
    return text.slice(0, length);
  };
  const cost = (kind: ReassignmentEvent['kind'], other: string, own = 'own::1220') =>
    reassignmentCost(
      [
        {
          kind,
          nodeId: 0,
          contract: contract('00aa', ['alice'], ['bob']),
          source: 'own',
          target: 'other',
          reassignmentId: '00ab',
          submitter: 'alice',
          reassignmentCounter: 1,
          assignmentExclusivity: 1n,
          reassigningParticipants: ['here'],
        },
      ],
      {
        participantId: 'here',
        actAs: ['alice'],
        userId: 'u',
        commandId: 'c',
        submissionId: 's',
        workflowId: '',
        recordTime: 1n,
      },
      {
        groupsViews: true,
        physicalSynchronizerId: own,
        packages: createCanticle().participant.engine.packages,
        hosts: (party) => HOSTS[party]!,
      },
      other,
    );

  it('sends the mediator its own synchronizer, and for an assignment also the other one', () => {
    const more = (kind: ReassignmentEvent['kind']) => cost(kind, name(1000)) - cost(kind, '');
    // In the view alone, which is compressed; in the mediator's message as well.
    expect(more('unassigned')).toBeGreaterThan(700);
    expect(more('unassigned')).toBeLessThan(900);
    expect(more('assigned')).toBeGreaterThan(1700);
    expect(more('assigned')).toBeLessThan(1950);
  });

  it('includes its own synchronizer in the root hash and next to the encrypted view', () => {
    for (const kind of ['unassigned', 'assigned'] as const) {
      const more = cost(kind, 'x', name(1000)) - cost(kind, 'x', '');
      expect(more).toBeGreaterThan(3700);
      expect(more).toBeLessThan(3950);
    }
  });
});
