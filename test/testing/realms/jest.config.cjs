/** The environments of a page that jest has: see realms.test.ts. */
const swc = ['@swc/jest', { jsc: { target: 'es2023' }, module: { type: 'commonjs' } }];

module.exports = {
  projects: [
    ['jsdom', 'jsdom'],
    ['happy-dom', '@happy-dom/jest-environment'],
  ].map(([displayName, testEnvironment]) => ({
    displayName,
    testEnvironment,
    testMatch: ['<rootDir>/canticle.test.js', '<rootDir>/wallet.test.js'],
    transform: { '\\.test\\.js$': swc },
    moduleNameMapper: { '^runner$': 'canticle/jest' },
  })),
};
