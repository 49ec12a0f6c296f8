/**
 * swc for jest, with its own cache key. Jest's key includes the whole configuration of the project, so that each
 * group of jest.groups.cjs would transform each source again. The output depends only on the source and swc's
 * options.
 */
const swc = require('@swc/jest');

module.exports = {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    return {
      ...transformer,
      getCacheKey: (source, file, given) =>
        transformer.getCacheKey(source, file, { ...given, configString: '' }),
    };
  },
};
