/**
 * The shape of a template's payloads: which optionals are set, buckets of numbers and lengths, the constructors of
 * variants, and which parties coincide.
 */
import { boundBody, template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import {
  Some,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
} from '../../daml/model/values.js';

type Read = (payload: DamlValue) => DamlValue | undefined;
/** A number below {@link BUCKETS}. */
type Bucket = (value: DamlValue, now: bigint) => number;

interface Feature {
  readonly read: Read;
  readonly bucket: Bucket;
}

const BUCKETS = 16;
/** The most features of a template, the depth of its fields, and its parties. */
const MAX_FEATURES = 200;
const MAX_DEPTH = 5;
const MAX_PARTIES = 6;

export class PayloadShape {
  private readonly features: Feature[] = [];
  private readonly parties: Read[] = [];
  private readonly seen: Uint8Array;
  private readonly seenRoles = new Set<number>();

  constructor(
    private readonly packages: PackageLookup,
    id: TypeId,
  ) {
    const template = templateOf(packages, id);
    if (template !== undefined) this.collect(template.payloadType, (value) => value, 0);
    this.seen = new Uint8Array(this.features.length * BUCKETS);
  }

  /** The number of features of the payload that no payload had before. */
  see(payload: DamlRecord, now: bigint): number {
    let fresh = 0;
    for (let i = 0; i < this.features.length; i++) {
      const { read, bucket } = this.features[i]!;
      const value = read(payload);
      if (value === undefined) continue;
      const place = i * BUCKETS + bucket(value, now);
      if (this.seen[place] !== 0) continue;
      this.seen[place] = 1;
      fresh += 1;
    }
    const roles = this.roles(payload);
    if (this.seenRoles.has(roles)) return fresh;
    this.seenRoles.add(roles);
    return fresh + 1;
  }

  /** Which parties are equal: for each one, the number of the first equal one. */
  private roles(payload: DamlRecord): number {
    let code = 0;
    const parties = this.parties.map((read) => read(payload));
    for (let i = 0; i < parties.length; i++) code = code * 8 + parties.indexOf(parties[i]);
    return code;
  }

  private collect(type: DamlType, read: Read, depth: number): void {
    const into = (of: DamlType, step: (value: DamlValue) => DamlValue | undefined) => {
      if (depth >= MAX_DEPTH) return;
      const inner: Read = (payload) => {
        const value = read(payload);
        return value === undefined ? undefined : step(value);
      };
      this.collect(of, inner, depth + 1);
    };
    const bucket = this.bucketOf(type);
    if (bucket !== undefined && this.features.length < MAX_FEATURES)
      this.features.push({ read, bucket });
    switch (type.kind) {
      case 'party':
        if (this.parties.length < MAX_PARTIES) this.parties.push(read);
        return;
      case 'optional':
        return into(type.of, (value) => (value instanceof Some ? value.value : undefined));
      case 'list':
        return into(type.of, (value) => (value as readonly DamlValue[])[0]);
      case 'con': {
        const body = boundBody(this.packages, type);
        if (body?.kind === 'record')
          for (const { name, type: of } of body.fields)
            into(of, (value) => (value as DamlRecord)[name]);
        if (body?.kind === 'variant')
          for (const { name, type: of } of body.constructors)
            into(of, (value) =>
              (value as DamlVariant).tag === name ? (value as DamlVariant).value : undefined,
            );
        return;
      }
      default:
    }
  }

  private bucketOf(type: DamlType): Bucket | undefined {
    switch (type.kind) {
      case 'bool':
        return (value) => Number(value);
      case 'int64':
        return (value) => magnitude(value as bigint, 1n);
      case 'numeric': {
        const one = 10n ** BigInt(type.scale);
        return (value) => magnitude((value as Numeric).unscaled, one);
      }
      case 'text':
        return (value) => Math.min((value as string).length, 2);
      case 'timestamp':
        return (value, now) => (value === now ? 1 : (value as bigint) < now ? 0 : 2);
      case 'optional':
        return (value) => (value === null ? 0 : 1);
      case 'list':
      case 'genMap':
        return (value) => Math.min((value as readonly DamlValue[]).length, 3);
      case 'textMap':
        return (value) => Math.min((value as ReadonlyMap<string, DamlValue>).size, 3);
      case 'con':
        return this.constructorOf(type);
      default:
        return undefined;
    }
  }

  private constructorOf(type: Extract<DamlType, { kind: 'con' }>): Bucket | undefined {
    const body = boundBody(this.packages, type);
    const of = (names: readonly string[], name: (value: DamlValue) => string): Bucket => {
      const places = new Map(names.map((each, place) => [each, place % BUCKETS]));
      return (value) => places.get(name(value)) ?? 0;
    };
    if (body?.kind === 'enum') return of(body.constructors, (value) => value as string);
    if (body?.kind !== 'variant') return undefined;
    const names = body.constructors.map(({ name }) => name);
    return of(names, (value) => (value as DamlVariant).tag);
  }
}

/** Negative, 0, less than one, one, and by the number of digits. */
function magnitude(value: bigint, one: bigint): number {
  if (value < 0n) return 0;
  if (value === 0n) return 1;
  if (value < one) return 2;
  if (value === one) return 3;
  if (value < 10n * one) return 4;
  if (value < 1_000n * one) return 5;
  return value < 1_000_000n * one ? 6 : 7;
}
