/** CANTICLE_CANTON and CANTICLE_SPLICE set the releases of every instance of a process. */
import { createCanticle } from 'canticle';

function within<T>(variables: Readonly<Record<string, string>>, act: () => T): T {
  Object.assign(process.env, variables);
  try {
    return act();
  } finally {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
  }
}

const versionOf = (variables: Readonly<Record<string, string>>): string =>
  within(variables, () => {
    const { participant } = createCanticle();
    return participant.engine.rules.estimatesMoves ? '3.7' : 'earlier';
  });

it.each([
  [{ CANTICLE_CANTON: '3.7' }, '3.7'],
  [{ CANTICLE_CANTON: '3.6' }, 'earlier'],
  [{ CANTICLE_CANTON: '' }, 'earlier'],
  [{ CANTICLE_SPLICE: '0.10', CANTICLE_CANTON: '3.7' }, '3.7'],
])('%j', (variables, version) => {
  expect(versionOf(variables)).toBe(version);
});

it('names an unknown release, and the known ones', () => {
  expect(() => versionOf({ CANTICLE_CANTON: '3.9' })).toThrow(
    /CANTICLE_CANTON is '3\.9', not one of 3\.4, 3\.5, 3\.6, 3\.7/,
  );
  expect(() => versionOf({ CANTICLE_SPLICE: '0.1' })).toThrow(
    /CANTICLE_SPLICE is '0\.1', not one of 0\.7\.4/,
  );
});
