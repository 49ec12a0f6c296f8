const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * A jest sequencer that runs groups as jest.groups.cjs lists them. Jest's own sequencer uses their file, which they
 * share.
 */
module.exports = class InOrder extends Sequencer {
  sort(tests) {
    return tests;
  }

  cacheResults() {}
};
