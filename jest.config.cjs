/** Tests run the TypeScript sources, transformed to CommonJS. `npm run check` checks their types. */
const { availableParallelism } = require('node:os');

// Runs share no cache, unless a test sets one.
process.env.CANTICLE_CACHE ??= 'off';

const swc = (sourceMaps) => [
  '<rootDir>/scripts/jest-transformer.cjs',
  {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps,
  },
];

module.exports = {
  testEnvironment: 'node',
  // In a sandbox, each access to a global takes 0.25 microseconds. Jest passes these frequent ones to modules directly.
  sandboxInjectedGlobals: [
    ...[
      'Array',
      'BigInt',
      'Boolean',
      'Error',
      'JSON',
      'Map',
      'Math',
      'Number',
      'Object',
      'Promise',
    ],
    ...['Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint8Array', 'WeakMap'],
  ],
  // More than cores: a worker often waits for a browser, a program or a timer.
  maxWorkers: availableParallelism() + 1,
  // Stops tests that never end. No test depends on durations, because each may take longer on a busy machine.
  testTimeout: 120_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  reporters: ['default', '<rootDir>/scripts/closing-line.cjs'],
  transform: {
    // Generated code of several megabytes, which needs no source maps.
    '/src/spec/generated/.+\\.ts$': swc(false),
    // These packages contain only ES modules, but tests run as CommonJS.
    '^.+\\.ts$|/(json-schema-faker|uuid|jose)/.+\\.js$': swc('inline'),
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(json-schema-faker|uuid|jose|.+/node_modules/jose)/)',
  ],
  moduleNameMapper: {
    '^json-schema-faker$': '<rootDir>/node_modules/json-schema-faker/dist/index.js',
    '^canticle$': '<rootDir>/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};
