/**
 * swc for jest, which keeps what it made under a key that the project's whole configuration is part of: each of the groups of
 * jest.groups.cjs would transform every source anew. What a source becomes depends on the source and swc's options alone.
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
