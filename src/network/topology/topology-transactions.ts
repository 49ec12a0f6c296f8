/**
 * Identity transactions of a node as Canton writes them: `SignedTopologyTransaction` messages (protocol v30) that anyone
 * can parse and verify. A root delegation ties the namespace to its key, an owner-to-key mapping names the node's keys.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { invariant } from '../../daml/errors/ledger-error.js';
import { namespaceOf } from '../ids.js';
import { HASH_PURPOSE, purposeHash, signingKey, type SigningKey } from '../keys.js';
import type { SeededRandom } from '../journal/random.js';

/** `SEQ` and `MED` before a unique identifier make it a member id. */
export type MemberCode = 'SEQ' | 'MED';

export interface Member {
  readonly code: MemberCode;
  /** `identifier::namespace`. */
  readonly uid: string;
  /** Whose namespace key it has: the name that its namespace was made of. */
  readonly owner: string;
}

const PROTO_VERSION = 30;
const ADD_REPLACE = 1;
const USAGE = {
  namespace: 1,
  sequencerAuthentication: 3,
  protocol: 4,
  proofOfOwnership: 5,
} as const;
const KEY_FORMAT_SPKI = 4;
const SPEC_CURVE25519 = 1;
const SIGNATURE_FORMAT_CONCAT = 3;
const ALGORITHM_ED25519 = 1;

/** Keys of a member beside its namespace key, with what each may be used for. */
const MEMBER_KEYS: Readonly<
  Record<MemberCode, readonly (readonly [name: string, usage: readonly number[]])[]>
> = {
  SEQ: [['protocol', [USAGE.protocol, USAGE.proofOfOwnership]]],
  MED: [
    ['authentication', [USAGE.sequencerAuthentication, USAGE.proofOfOwnership]],
    ['protocol', [USAGE.protocol, USAGE.proofOfOwnership]],
  ],
};

export function memberId({ code, uid }: Member): string {
  return `${code}::${uid}`;
}

/** In the order in which they have to be added. The same for the same seed. */
export function identityTransactions(random: SeededRandom, member: Member): readonly Uint8Array[] {
  const root = signingKey(random, `namespace/${member.owner}`);
  invariant(
    root.fingerprint === namespaceOf(member.uid),
    "a member's namespace is the fingerprint of its root key",
  );
  const keys = MEMBER_KEYS[member.code].map(([name, usage]) => {
    const key = signingKey(random, `${name}/${member.owner}`);
    return { key, encoded: encodePublicKey(key, usage) };
  });
  const delegation = namespaceDelegation(root);
  // Each key that is announced signs too: that proves that the member has it.
  const mapping = ownerToKeyMapping(
    memberId(member),
    keys.map(({ encoded }) => encoded),
  );
  return [signed(delegation, [root]), signed(mapping, [root, ...keys.map(({ key }) => key)])];
}

function namespaceDelegation(root: SigningKey): Uint8Array {
  const writer = new BinaryWriter();
  text(writer, 1, root.fingerprint);
  bytes(writer, 2, encodePublicKey(root, [USAGE.namespace]));
  // A root delegation without a restriction may sign every mapping.
  writer.tag(3, WireType.Varint).bool(true);
  return mappingOf(1, writer.finish());
}

function ownerToKeyMapping(member: string, keys: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter();
  text(writer, 1, member);
  for (const key of keys)
    bytes(
      writer,
      2,
      message((inner) => bytes(inner, 1, key)),
    );
  return mappingOf(4, writer.finish());
}

/** The bytes of the transaction that adds a mapping, its version around it. */
function mappingOf(field: number, mapping: Uint8Array): Uint8Array {
  return versioned((writer) => {
    number(writer, 1, ADD_REPLACE);
    number(writer, 2, 1); // serial
    bytes(
      writer,
      3,
      message((inner) => bytes(inner, field, mapping)),
    );
  });
}

function signed(transaction: Uint8Array, signers: readonly SigningKey[]): Uint8Array {
  const hash = purposeHash(HASH_PURPOSE.topologyTransactionSignature, transaction);
  return versioned((writer) => {
    bytes(writer, 1, transaction);
    for (const { fingerprint, sign } of signers)
      bytes(
        writer,
        2,
        message((inner) => {
          number(inner, 1, SIGNATURE_FORMAT_CONCAT);
          bytes(inner, 2, sign(hash));
          text(inner, 3, fingerprint);
          number(inner, 4, ALGORITHM_ED25519);
        }),
      );
  });
}

function encodePublicKey({ publicKey }: SigningKey, usage: readonly number[]): Uint8Array {
  return message((writer) => {
    number(writer, 2, KEY_FORMAT_SPKI);
    bytes(writer, 3, publicKey);
    writer.tag(5, WireType.LengthDelimited).fork();
    for (const each of usage) writer.int32(each);
    writer.join();
    number(writer, 6, SPEC_CURVE25519);
  });
}

/** Canton's `UntypedVersionedMessage`. */
function versioned(write: (writer: BinaryWriter) => void): Uint8Array {
  return message((writer) => {
    bytes(writer, 1, message(write));
    number(writer, 2, PROTO_VERSION);
  });
}

function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(value);
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function number(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Varint).int32(value);
}
