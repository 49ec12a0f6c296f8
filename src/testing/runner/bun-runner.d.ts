/**
 * The parts of Bun's test runner that canticle/bun-test calls. The types of Bun itself would change the types of Node
 * in a whole project.
 */
declare module 'bun:test' {
  type Hook = (action: () => void | Promise<void>, timeout?: number) => void;
  export const beforeAll: Hook;
  export const beforeEach: Hook;
  export const afterEach: Hook;
  export const afterAll: Hook;
  export const describe: (name: string, body: () => void) => void;
  export const it: (name: string, body: () => void) => void;
  export const test: typeof it;
  export const expect: { extend(matchers: never): void };
  // oxlint-disable-next-line typescript/no-empty-object-type -- as bun has it
  export interface Matchers<T = unknown> {}
}
