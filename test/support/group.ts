/** One group of suites, each under its own name: see jest.groups.cjs. */
declare const SUITES_OF_GROUP: readonly string[];

// oxlint-disable-next-line typescript/no-require-imports -- a group is described before its first test runs
for (const suite of SUITES_OF_GROUP) describe(suite, () => void require(`../${suite}`));
