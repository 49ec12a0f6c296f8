/**
 * The hash that makes a contract id unique and commits to the contract's data: salt, time, stakeholders, key, and the hash of the payload.
 */
import type { ContractContents } from './fat-contract.js';
import { HashWriter } from './hash-writer.js';

/** Canton's number for the purpose of the hash. */
const PURPOSE = 29;
const MICROS_A_SECOND = 1_000_000n;
const WRITER = new HashWriter();

type Committed = Pick<ContractContents, 'signatories' | 'observers' | 'createdAt' | 'key'>;

/**
 * Hexadecimal.
 * @param salt 32 bytes, hexadecimal
 * @param contractHash hexadecimal
 */
export function unicum(
  salt: string,
  { signatories, observers, createdAt, key }: Committed,
  contractHash: string,
): string {
  let seconds = createdAt / MICROS_A_SECOND;
  let micros = Number(createdAt - seconds * MICROS_A_SECOND);
  // Seconds are rounded down, also before 1970.
  if (micros < 0) {
    seconds -= 1n;
    micros += Number(MICROS_A_SECOND);
  }
  WRITER.begin()
    .int32(PURPOSE)
    .rawHex(salt)
    .int64(seconds)
    .int32(1000 * micros)
    .sized((writer) => writer.texts(signatories))
    .sized((writer) => writer.texts(observers));
  if (key === undefined) WRITER.byte(0).int32(1).byte(0);
  else
    WRITER.byte(1)
      .rawHex(key.hash)
      .sized((writer) => writer.byte(1).texts(key.maintainers));
  return WRITER.rawHex(contractHash).sha256();
}
