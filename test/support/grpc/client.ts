/**
 * A gRPC client that uses only server reflection: it reads the descriptors from the server, and its messages are
 * protobuf JSON. It uses @grpc/grpc-js and @bufbuild/protobuf, which the server does not use for messages.
 */
import { createHash } from 'node:crypto';
import {
  createFileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
  type DescMethod,
  type FileRegistry,
  type JsonObject,
  type JsonValue,
} from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { DETAILS_FILE } from './details.js';
import {
  Client,
  credentials,
  Metadata,
  type CallOptions,
  type ChannelCredentials,
  type ServiceError,
} from '@grpc/grpc-js';

const V2 = 'com.daml.ledger.api.v2.';
const same = (bytes: Buffer): Buffer => bytes;

/** An error as received: its status, and its details by type. */
export interface GrpcFault {
  readonly code: number;
  readonly message: string;
  readonly details: Readonly<Record<string, any>>;
}

interface Caller {
  readonly token?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface ConnectOptions {
  readonly authority?: string;
  readonly security?: ChannelCredentials;
}

export class GrpcClient {
  private constructor(
    private readonly client: Client,
    private registry: FileRegistry,
    /** The bytes of a FileDescriptorSet with all files from reflection. */
    readonly descriptors: Uint8Array,
  ) {}

  /** @param authority the host in its requests, if different from the address */
  static async connect(
    address: string,
    version = 'v1',
    { authority, security = credentials.createInsecure() }: ConnectOptions = {},
  ): Promise<GrpcClient> {
    const client = new Client(
      address,
      security,
      authority === undefined
        ? {}
        : {
            'grpc.default_authority': authority,
            'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
          },
    );
    const request = async (field: number, text: string) => {
      const [answer] = await reflect(client, version, [
        new BinaryWriter().tag(field, WireType.LengthDelimited).string(text).finish(),
      ]);
      return answer!;
    };
    const services = fieldsOf(fieldsOf(await request(7, ''), 6)[0]!, 1).map((each) =>
      new TextDecoder().decode(fieldsOf(each, 1)[0]!),
    );
    const answers: Uint8Array[] = [];
    for (const service of services) answers.push(await request(4, service));
    const { registry, descriptors } = definitionsOf(answers);
    return new GrpcClient(client, registry, descriptors);
  }

  /** The same connection, with the definitions of another server: it can send fields that its own server lacks. */
  speaking(other: GrpcClient): GrpcClient {
    return new GrpcClient(this.client, other.registry, other.descriptors);
  }

  /** Paths of the definitions, except protobuf's own. */
  get files(): string[] {
    const names = [...this.registry.files].map(({ proto }) => proto.name);
    return names.filter((name) => !/^google\/(protobuf|rpc\/error)/.test(name));
  }

  get services(): string[] {
    return [...this.registry].flatMap((each) => (each.kind === 'service' ? each.typeName : []));
  }

  /** The methods of a service, as `Service/Method`. @param service its full name */
  methodsOf(service: string): string[] {
    const name = service.slice(service.lastIndexOf('.') + 1);
    return this.registry.getService(service)!.methods.map((method) => `${name}/${method.name}`);
  }

  close(): void {
    this.client.close();
  }

  method(path: string): DescMethod {
    const [service = '', name] = path.split('/');
    const whole = service.includes('com.') || service.includes('grpc.') ? service : V2 + service;
    const found = this.registry.getService(whole)?.methods.find((each) => each.name === name);
    if (found === undefined) throw new Error(`Reflection told of no ${path}.`);
    return found;
  }

  /** @param path such as `CommandService/SubmitAndWait`; with the full name for another package */
  call(path: string, request: object = {}, options: CallOptions & Caller = {}) {
    const method = this.method(path);
    return this.raw(path, this.written(method, request), options).then(
      (bytes) => this.read(method, bytes) as any,
    );
  }

  written({ input }: DescMethod, request: object): Buffer {
    return Buffer.from(
      toBinary(input, fromJson(input, request as JsonValue, { registry: this.registry })),
    );
  }

  read({ output }: DescMethod, bytes: Uint8Array): JsonObject {
    return toJson(output, fromBinary(output, bytes), {
      registry: this.registry,
      alwaysEmitImplicit: true,
    }) as JsonObject;
  }

  raw(path: string, request: Buffer, { token, metadata, ...options }: CallOptions & Caller = {}) {
    const { parent, name } = this.method(path);
    return new Promise<Buffer>((resolve, reject) => {
      this.client.makeUnaryRequest(
        `/${parent.typeName}/${name}`,
        same,
        same,
        request,
        metadataOf(token, metadata),
        options,
        (error, answer) => (error ? reject(faultOf(error)) : resolve(answer!)),
      );
    });
  }

  /** Sends several messages to a client-streaming method. @returns its one answer */
  clientStream(path: string, requests: readonly object[]): Promise<any> {
    const method = this.method(path);
    return new Promise((resolve, reject) => {
      const call = this.client.makeClientStreamRequest(
        `/${method.parent.typeName}/${method.name}`,
        same,
        same,
        metadataOf(undefined),
        (error, answer) =>
          error ? reject(faultOf(error)) : resolve(this.read(method, answer as Buffer)),
      );
      for (const request of requests) call.write(this.written(method, request));
      call.end();
    });
  }

  /** Reads a stream. With a number: cancels the stream after this number of elements, without checkpoints. */
  async stream(
    path: string,
    request: object,
    { take = Infinity, token, ...options }: CallOptions & { take?: number; token?: string } = {},
  ): Promise<any[]> {
    const method = this.method(path);
    const call = this.open(path, request, { token, ...options });
    const elements: any[] = [];
    return new Promise((resolve, reject) => {
      call.on('data', (bytes: Buffer) => {
        const element: any = this.read(method, bytes);
        if (element.offsetCheckpoint === undefined) elements.push(element);
        if (elements.length === take) {
          resolve(elements);
          call.cancel();
        }
      });
      call.on('end', () => resolve(elements));
      call.on('error', (error: ServiceError) => reject(faultOf(error)));
    });
  }

  open(
    path: string,
    request: object,
    { token, ...options }: CallOptions & { token?: string } = {},
  ) {
    return this.openRaw(path, this.written(this.method(path), request), options, token);
  }

  /** Opens a stream, and cancels it after it opened. @returns its error, if any */
  async faultOf(path: string, request: Buffer): Promise<GrpcFault | undefined> {
    const call = this.openRaw(path, request);
    let fault: GrpcFault | undefined;
    await new Promise<void>((resolve) => {
      call.on('metadata', () => resolve());
      call.on('error', (error: ServiceError) => {
        fault = faultOf(error);
        resolve();
      });
      call.on('end', resolve);
      call.resume();
    });
    if (fault !== undefined) return fault;
    // Answers come in the order of requests.
    await this.call('StateService/GetLedgerEnd');
    const refused = fault;
    call.cancel();
    return refused;
  }

  private openRaw(path: string, request: Buffer, options: CallOptions = {}, token?: string) {
    const { parent, name } = this.method(path);
    return this.client.makeServerStreamRequest(
      `/${parent.typeName}/${name}`,
      same,
      same,
      request,
      metadataOf(token),
      options,
    );
  }
}

interface Definitions {
  readonly registry: FileRegistry;
  readonly descriptors: Uint8Array;
}

/** By the hash of the answers: the servers of most tests have the same definitions. */
const known = new Map<string, Definitions>();

/** @param answers of reflection, with the files of each service */
function definitionsOf(answers: readonly Uint8Array[]): Definitions {
  const hash = createHash('sha256');
  const listed = answers.map((answer) => fieldsOf(answer, 4)[0]!);
  for (const each of listed) hash.update(each);
  const key = hash.digest('hex');
  const definitions = known.get(key) ?? readDefinitions(listed);
  known.set(key, definitions);
  return definitions;
}

function readDefinitions(listed: readonly Uint8Array[]): Definitions {
  const files = new Map<string, any>();
  for (const list of listed)
    for (const bytes of fieldsOf(list, 1)) {
      const file = fromBinary(FileDescriptorProtoSchema, bytes);
      files.set(file.name, file);
    }
  files.set(DETAILS_FILE.name, DETAILS_FILE);
  const set = { $typeName: FileDescriptorSetSchema.typeName, file: ordered(files) };
  return { registry: createFileRegistry(set), descriptors: toBinary(FileDescriptorSetSchema, set) };
}

function metadataOf(
  token: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Metadata {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(more)) metadata.set(name, value);
  return metadata;
}

const DETAILS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  ErrorInfo: (bytes) => ({
    reason: text(fieldsOf(bytes, 1)[0]),
    metadata: Object.fromEntries(
      fieldsOf(bytes, 3).map((entry) => [text(fieldsOf(entry, 1)[0]), text(fieldsOf(entry, 2)[0])]),
    ),
  }),
  RequestInfo: (bytes) => text(fieldsOf(bytes, 1)[0]),
  RetryInfo: (bytes) => fieldsOf(bytes, 1).length,
  ResourceInfo: (bytes) => [text(fieldsOf(bytes, 1)[0]), text(fieldsOf(bytes, 2)[0])],
};

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

function faultOf(error: ServiceError): GrpcFault {
  const [status] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const packed = Buffer.isBuffer(status) ? fieldsOf(status, 3) : [];
  const details = packed.map((any) => {
    const type = text(fieldsOf(any, 1)[0]).replace('type.googleapis.com/google.rpc.', '');
    return [type, DETAILS[type]?.(fieldsOf(any, 2)[0] ?? new Uint8Array())];
  });
  return { code: error.code, message: error.details, details: Object.fromEntries(details) };
}

/** The length-delimited fields with this number. */
function fieldsOf(bytes: Uint8Array, number: number): Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === number && wire === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(wire, field);
  }
  return found;
}

function reflect(client: Client, version: string, requests: Uint8Array[]): Promise<Buffer[]> {
  const call = client.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    same,
    same,
  );
  const answers: Buffer[] = [];
  return new Promise((resolve, reject) => {
    call.on('data', (bytes: Buffer) => answers.push(bytes));
    call.on('end', () => resolve(answers));
    call.on('error', reject);
    for (const request of requests) call.write(Buffer.from(request));
    call.end();
  });
}

/** Each file after its imports. */
function ordered(files: ReadonlyMap<string, any>): any[] {
  const done = new Set<string>();
  const list: any[] = [];
  const add = (name: string): void => {
    const file = files.get(name);
    if (file === undefined || done.has(name)) return;
    done.add(name);
    for (const each of file.dependency) add(each);
    list.push(file);
  };
  for (const name of files.keys()) add(name);
  return list;
}
