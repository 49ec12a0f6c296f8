import {
  concurrentMapOrder,
  caseClassHash,
  dottedNameHash,
  isTrie,
  scalaOrder,
  sequenceHash,
  textHash,
  trieOrder,
} from '../../../src/daml/errors/scala-order.js';
import { scalaSet } from '../../../src/daml/errors/scala-text.js';

const FIELDS = ['owner', 'i', 'n', 's', 'b', 'd', 'ts', 'l', 'm', 'g', 'c', 'v', 'r', 'u'];

/** B-VAL-034 */
describe('the order of hash collections', () => {
  test('a set of up to four keys keeps the order of insertion', () => {
    expect(scalaOrder(['i', 'n', 's', 'b'], textHash)).toEqual(['i', 'n', 's', 'b']);
    expect(isTrie(4)).toBe(false);
    expect(isTrie(5)).toBe(true);
  });

  test('a set of at least five keys has the order of its hashes', () => {
    expect(scalaOrder(FIELDS, textHash).join(' ')).toBe('s n u ts m i v b r d g l c owner');
    expect(scalaOrder(['i', 'n', 's', 'b', 'd'], textHash).join(' ')).toBe('s n i b d');
    expect(scalaOrder(['e1', 'e2', 'e3', 'e4', 'e5', 'e6'], textHash).join(' ')).toBe(
      'e6 e1 e5 e4 e3 e2',
    );
  });

  test('a set of at least five keys keeps the order of its hashes when it shrinks', () => {
    expect(scalaOrder(['i', 'n', 's', 'b'], textHash, FIELDS.length)).toEqual(['s', 'n', 'i', 'b']);
  });

  test('slots with several keys come after slots with one key, level by level', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, id) => id);
    const nodeIdHash = (id: number) => caseClassHash('NodeId', [id]);
    expect(scalaOrder(ids(5), nodeIdHash)).toEqual([3, 1, 4, 2, 0]);
    expect(scalaOrder(ids(101), nodeIdHash).slice(0, 8)).toEqual([13, 25, 55, 62, 90, 12, 50, 3]);
    expect(scalaOrder(ids(401), nodeIdHash).slice(0, 8)).toEqual([
      254, 273, 288, 217, 363, 140, 12, 170,
    ]);
  });

  test('keys with equal hashes keep the order of insertion', () => {
    expect(textHash('BB')).toBe(textHash('Aa'));
    expect(trieOrder(['BB', 'x', 'Aa'], textHash)).toEqual(['x', 'BB', 'Aa']);
    expect(trieOrder(['Aa', 'x', 'BB'], textHash)).toEqual(['x', 'Aa', 'BB']);
  });

  test('texts, sequences and case classes have the same hashes as on the JVM', () => {
    expect(textHash('')).toBe(0);
    expect(textHash('Seq')).toBe(83007);
    // Past the range of 32 bits, and a character outside of the basic plane.
    expect(textHash('polygenelubricants')).toBe(-2147483648);
    expect(textHash('\u{1d7cf}')).toBe(1773114);
    expect(caseClassHash('None', [])).toBe(2433880);
    expect(caseClassHash('Tuple2', [1, 2])).toBe(1316541600);
    expect(caseClassHash('Some', [textHash('a')])).toBe(-553261384);
  });

  test('a sequence whose hashes are evenly spaced has the hash of a range', () => {
    expect(dottedNameHash('A.B.C')).toBe(sequenceHash([65, 66, 67]));
    // Of a range, neither its inner elements nor its length count.
    expect(sequenceHash([1, 3, 5])).toBe(-928085090);
    expect(sequenceHash([1, 3, 6])).not.toBe(-928085090);
    const sequences = [[1, 2, 3], [1, 2, 4], [1, 2], [7, 7, 7], [7, 7], [], [5]];
    expect(sequences.map(sequenceHash)).toEqual([
      1836368899, 1213857136, 959905896, -1617300580, 1591441082, 473519988, 1669515522,
    ]);
    expect(
      trieOrder(['A.B', 'A.C', 'A.D', 'B.A', 'B.B', 'C', 'A.B.C'], dottedNameHash).join(' '),
    ).toBe('A.B.C C A.B A.C A.D B.B B.A');
  });

  test('a set of more than four prints as a HashSet, in the order of its hashes', () => {
    expect(scalaSet(['i', 'n', 's', 'b'])).toBe('Set(i, n, s, b)');
    expect(scalaSet(['i', 'n', 's', 'b', 'd'])).toBe('HashSet(s, n, i, b, d)');
    expect(scalaSet(['owner'], { largest: 5 })).toBe('HashSet(owner)');
    expect(scalaSet(['C', 'B'], { shown: (name) => `<${name}>` })).toBe('Set(<C>, <B>)');
  });

  test('a ConcurrentHashMap separates adjacent buckets', () => {
    expect(concurrentMapOrder(['c', 'b', 'a'])).toEqual(['a', 'b', 'c']);
  });

  test('a ConcurrentHashMap iterates over its buckets, which double once 75% are in use', () => {
    expect(concurrentMapOrder(['Q', 'b', 'a', 'A', 'B'])).toEqual(['Q', 'a', 'A', 'b', 'B']);
    const letters = [...'ABCDEFGHIJKLa'];
    expect(concurrentMapOrder(letters.slice(1)).join('')).toBe('aBCDEFGHIJKL');
    // 12 keys make 32 buckets.
    expect(concurrentMapOrder(['@', '0', ...letters.slice(1, 10)]).join('')).toBe('@0BCDEFGHIJ');
    expect(concurrentMapOrder(['@', '0', ...letters.slice(1, 11)]).join('')).toBe('@BCDEFGHIJK0');
  });
});
