/**
 * Messages of every shape that their definitions allow, sent to every method: present and missing fields, members of any kind,
 * unknown numbers of enumerations. No answer is an internal error of the server, and it continues to serve.
 */
import * as fc from 'fast-check';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { definitionsOf, type FieldDefinition } from '../../../src/network/index.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';
import { check } from '../../support/property.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let grpc: GrpcClient;
let known: readonly string[];
beforeAll(async () => {
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const parties = await api.parties('alice', 'bob');
  known = [...parties, '#model-tests', 'Test', 'Dummy', 'Coin', 'Clone', 'operator', '1', ''];
});
afterAll(() => grpc.close());

const definitions = definitionsOf();
const METHODS = [...definitions.files.values()]
  .filter(({ package: prefix }) => prefix.startsWith('com.daml.ledger.api.v2'))
  .flatMap(({ package: prefix, services }) =>
    Object.keys(services).flatMap((name) => definitions.methodsOf(`${prefix}.${name}`)),
  )
  // The changes of these would affect the other cases.
  .filter(({ path }) => !/SetTime|Prune$/.test(path));

/** Draws from a list of numbers, which then determines the whole message. */
class Draw {
  private at = 0;
  constructor(private readonly numbers: readonly number[]) {}
  below(limit: number): number {
    const number = this.numbers[this.at++ % this.numbers.length]! + this.at * 7919;
    return number % limit;
  }
}

/** Of what no message is. */
const UNKNOWN = 2;
const VARINTS = new Set(['bool', 'int32', 'int64', 'uint32', 'uint64']);

function scalar(type: string, draw: Draw, field: number, writer: BinaryWriter): void {
  if (type === 'string' || type === 'bytes') {
    const text = known[draw.below(known.length)]!;
    writer.tag(field, WireType.LengthDelimited).string(draw.below(9) === 0 ? '!' : text);
  } else if (VARINTS.has(type))
    writer.tag(field, WireType.Varint).int32([0, 1, 2, 10, -1, 2 ** 31 - 1][draw.below(6)]!);
  else if (type.startsWith('sint'))
    writer.tag(field, WireType.Varint).sint32([0, 1, -1, 77][draw.below(4)]!);
  else if (/fixed64|double/.test(type)) writer.tag(field, WireType.Bit64).fixed64(draw.below(99));
  else if (/fixed32|float/.test(type)) writer.tag(field, WireType.Bit32).fixed32(draw.below(99));
  // An enumeration; some of these numbers are unknown.
  else writer.tag(field, WireType.Varint).int32([0, 1, 2, 3, 99, -1][draw.below(6)]!);
}

const isScalar = (type: string): boolean =>
  !type.includes('.') ||
  (definitions.messageFields(type) === undefined && !type.startsWith('google'));

function message(type: string, draw: Draw, depth = 0): Uint8Array {
  const writer = new BinaryWriter();
  const fields = SHAPES[type] ?? definitions.messageFields(type) ?? [];
  const groups = new Set<string>();
  for (const field of fields) {
    const { oneof, label, mapKey } = field;
    // Mostly there near the top; one member of each group.
    if (draw.below(10) < (depth < 4 ? 2 : 6)) continue;
    if (oneof !== undefined && (groups.has(oneof) || draw.below(3) === 0)) continue;
    if (oneof !== undefined) groups.add(oneof);
    const times = label === 'repeated' || mapKey !== undefined ? draw.below(3) : 1;
    for (let n = 0; n < times; n++) put(field, draw, depth, writer);
  }
  return writer.finish();
}

function put(
  { number, type, mapKey }: FieldDefinition,
  draw: Draw,
  depth: number,
  to: BinaryWriter,
) {
  const value = (field: number, writer: BinaryWriter): void => {
    if (isScalar(type)) scalar(type, draw, field, writer);
    else if (depth < 12)
      writer.tag(field, WireType.LengthDelimited).bytes(message(type, draw, depth + 1));
  };
  if (mapKey === undefined) return value(number, to);
  const entry = new BinaryWriter();
  scalar(mapKey, draw, 1, entry);
  value(2, entry);
  to.tag(number, WireType.LengthDelimited).bytes(entry.finish());
}

const plain = (name: string, number: number, type: string): FieldDefinition => ({
  name,
  number,
  type,
  label: '',
});
const SHAPES: Readonly<Record<string, readonly FieldDefinition[]>> = {
  'google.protobuf.Timestamp': [plain('seconds', 1, 'int64'), plain('nanos', 2, 'int32')],
};

it('no message causes an internal error', async () => {
  const numbers = fc.array(fc.nat(1_000_003), { minLength: 20, maxLength: 60 });
  let answers = 0;
  await check(
    fc.asyncProperty(numbers, async (drawn) => {
      const draw = new Draw(drawn);
      const faults = await Promise.all(
        METHODS.map(({ path, input, streamsOut }) => {
          const bytes = Buffer.from(message(input, draw));
          const name = path.slice(1);
          if (streamsOut) return grpc.faultOf(name, bytes);
          return grpc.raw(name, bytes).then(
            () => undefined,
            (fault: GrpcFault) => fault,
          );
        }),
      );
      expect(faults.filter((fault) => fault?.code === UNKNOWN)).toEqual([]);
      answers += faults.filter((fault) => fault === undefined).length;
      // The journal lists internal errors of the server as failed.
      expect(api.canticle.requests.list({ outcome: 'failed' })).toEqual([]);
    }),
    { numRuns: 5 },
  );
  expect(answers).toBeGreaterThan(METHODS.length / 2);
});
