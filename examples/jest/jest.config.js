/** Tests are plain JavaScript, modules and CommonJS: nothing is transformed. */
export default {
  transform: {},
  // Coverage of Daml code, of all test files.
  reporters: ['default', ['canticle/coverage-reporter', { packages: ['canticle-test-token'] }]],
};
