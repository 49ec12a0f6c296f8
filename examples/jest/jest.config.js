/** Tests are plain JavaScript, modules and CommonJS: nothing is transformed. */
export default {
  transform: {},
  // What the tests exercised of Daml code, of all test files together.
  reporters: ['default', ['canticle/coverage-reporter', { packages: ['canticle-test-token'] }]],
};
