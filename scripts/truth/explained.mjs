// Differences from the recorded transcripts that stay, each with its reason. A rule applies to one differing value of one exchange:
// `{ case, index, step, exchange, path, ours, real }`, where `path` is such as `.answer.context.tid`, and `ours` or `real` is undefined
// where that side lacks the value. Keep rules narrow: a rule that explains too much hides faults.

/** @typedef {{ case: string, index: number, step: string, exchange: object, path: string, ours: unknown, real: unknown }} Difference */

/** @type {readonly { kind: string, reason: string, applies: (difference: Difference) => boolean }[]} */
export const EXPLAINED = [
  {
    kind: 'PKG-03',
    reason:
      'Of five or more templates that share the type of an argument, the real one takes the last by the hashes of their whole ' +
      'signatures, that is of syntax trees as Scala has them.',
    applies: ({ case: name, path, ours, real }) =>
      name.startsWith('pkg-') &&
      /\.(cause|context\.upgradeError)$/.test(path) &&
      [ours, real].every((text) => /input type of choice \w+ on template/.test(String(text))),
  },
];
