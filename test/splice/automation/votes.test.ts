/** How many SVs have to agree. */
import { requiredVotes } from '../../../src/splice/automation/confirmations.js';

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 4],
  [6, 4],
  [7, 5],
  [10, 7],
  [13, 9],
  [16, 11],
])('of %d SVs it takes %d', (svs, votes) => {
  expect(requiredVotes(svs)).toBe(votes);
});
