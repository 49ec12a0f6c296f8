/** Requests to server reflection that no usual client sends, and files that a port does not need. */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Client, credentials } from '@grpc/grpc-js';
import { useCanticle } from '../../../src/testing/jest.js';

const canticle = useCanticle({ grpc: { adminApiPort: 0 } });
const METHOD = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const same = (bytes: Buffer): Buffer => bytes;

type Shown = Readonly<Record<number, unknown>>;

/** The fields of a message, by number. */
function shown(bytes: Uint8Array): Shown {
  const fields: Record<number, unknown> = {};
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    fields[number] = wire === WireType.Varint ? reader.int32() : reader.bytes();
  }
  return fields;
}

/** The error of an answer, or the number of its field. */
function ask(address: string, request: Uint8Array): Promise<unknown> {
  const client = new Client(address, credentials.createInsecure());
  const call = client.makeBidiStreamRequest(METHOD, same, same);
  return new Promise((resolve, reject) => {
    call.on('data', (bytes: Buffer) => {
      const answer = shown(bytes);
      const error = answer[7] as Uint8Array | undefined;
      const numbers = Object.keys(answer).map(Number);
      if (error === undefined) return resolve(Math.max(...numbers));
      const { 1: code, 2: text } = shown(error);
      resolve([code, Buffer.from(text as Uint8Array).toString()]);
    });
    call.on('error', reject);
    call.on('end', () => client.close());
    call.end(Buffer.from(request));
  });
}

const text = (number: number, value: string): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).string(value).finish();
const [BY_FILE, BY_SYMBOL, NUMBERS] = [3, 4, 6];
const [FILES, EXTENSION_NUMBERS] = [4, 5];
const OPTIONS = 'google.protobuf.MessageOptions';

it('a request for nothing is not implemented', async () => {
  expect(await ask(canticle.urls.grpc!, new Uint8Array())).toEqual([
    12,
    'not implemented MESSAGEREQUEST_NOT_SET',
  ]);
});

it('a port knows only the files that its services need (B-GRPC-023)', async () => {
  const { grpc, grpcAdmin } = canticle.urls;
  const own = 'com.daml.ledger.api.v2.Commands';
  expect(await ask(grpc!, text(BY_SYMBOL, own))).toBe(FILES);
  expect(await ask(grpcAdmin!, text(BY_SYMBOL, own))).toEqual([5, 'Symbol not found.']);
  expect(await ask(grpc!, text(BY_FILE, 'nothing.proto'))).toEqual([5, 'File not found.']);
});

it('a port knows the extensions that its own files import', async () => {
  const { grpc, grpcAdmin } = canticle.urls;
  expect(await ask(grpcAdmin!, text(NUMBERS, OPTIONS))).toBe(EXTENSION_NUMBERS);
  expect(await ask(grpc!, text(NUMBERS, OPTIONS))).toEqual([5, 'Type not found.']);
  expect(await ask(grpcAdmin!, text(NUMBERS, 'no.Type'))).toEqual([5, 'Type not found.']);
});
