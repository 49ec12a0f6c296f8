/** Tests run the TypeScript sources, transformed to CommonJS; types are checked apart, by `npm run check`. */

// Nothing of a run is kept for the next, but where a test says so.
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
  // In a sandbox each look at a global takes a quarter of a microsecond: some of those that all code looks at are handed to modules.
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
  // One for each core: by default a core is left idle, which on two of them is half.
  maxWorkers: '100%',
  // Bounds what never ends. No test is about time: on a busy machine each takes as long as it takes.
  testTimeout: 30_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  reporters: ['default', '<rootDir>/scripts/closing-line.cjs'],
  transform: {
    // Megabytes that nobody steps through.
    '/src/spec/generated/.+\\.ts$': swc(false),
    // These come as modules alone, and tests run as CommonJS.
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
