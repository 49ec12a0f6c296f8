import { typeCompiler } from '../../../src/daml/codec/type-fold.js';
import { listType, named, packages } from '../../support/daml/arbitrary-daml.js';

describe('compiling types', () => {
  it('compiles each type once for each view of the packages', () => {
    let records = 0;
    const count = typeCompiler<() => number>(() => ({
      scalar: () => () => 1,
      optional: (of, compile) => compile(of),
      list: (of) => of,
      textMap: (of) => of,
      genMap: (key) => key,
      record: (fields) => {
        records += 1;
        return () =>
          fields.reduce((sum, { name, run }) => sum + (name === 'children' ? 0 : run()), 0);
      },
      variant: () => () => 0,
      enumeration: () => () => 0,
      opaque: () => () => 0,
    }));
    const sums = [named('Tree'), named('Tree'), listType(named('Tree'))].map((type) =>
      count(packages, type)(),
    );
    expect([sums, records]).toEqual([[1, 1, 1], 1]);
    count({ ...packages, root: packages }, named('Tree'))();
    expect(records).toBe(1);
    count({ ...packages }, named('Tree'))();
    expect(records).toBe(2);
  });
});
