import { createCanticle } from 'canticle';
const { scenario: s } = createCanticle();
const a: string = s.create('x', { by: 'a', with: {} });
// @ts-expect-error no by
s.create('x', { with: {} });
// @ts-expect-error wrong is
s.expect({ contract: 'x', is: 'activ' });
// @ts-expect-error unknown field
s.expect({ contract: 'x', iss: 'active' });
s.expect({ contract: 'x', is: 'active', counter: 1 }, { party: 'a', balance: 3 });
const v: void = s.mint(5, { to: 'x', refused: 'DAML_FAILURE' });
const n: string = s.mint(5, { to: 'x', as: 'y' });
s.archive('$x');
s.advance('PT1S');
// @ts-expect-error number
s.advance(5);
const r: unknown = s.exercise('x', { choice: 'c', by: ['b'] }).result;
export { a, v, n, r };
