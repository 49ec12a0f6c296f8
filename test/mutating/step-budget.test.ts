/** The budget of steps of a mutant, over several interpretations. */
import { StepBudget, stepLimit } from '../../src/mutating/running/step-budget.js';

test('counts the steps of each interpretation, and ends the code above the limit', () => {
  const budget = new StepBudget(100);
  const [first, second] = [budget.deadline(), budget.deadline()];
  expect(first(40)).toBe(false);
  expect(first(60)).toBe(false);
  expect(second(40)).toBe(false);
  expect([budget.used, budget.isExceeded]).toEqual([100, false]);
  expect(second(41)).toBe(true);
  expect([budget.used, budget.isExceeded]).toEqual([101, true]);
  expect(first(60)).toBe(true);
});

test('without a limit, it only counts', () => {
  const budget = new StepBudget();
  expect(budget.deadline()(50_000_000)).toBe(false);
  expect(budget.used).toBe(50_000_000);
});

test('a mutant may take ten times as many steps as the original, which counts as a least number', () => {
  expect(stepLimit(1_001, 1_000)).toBe(10_010);
  expect(stepLimit(1_000, 1_000)).toBe(10_000);
  expect(stepLimit(999, 1_000)).toBe(10_000);
});
