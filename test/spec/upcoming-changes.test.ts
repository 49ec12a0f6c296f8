/** The parts of the Ledger API that the next release disables or removes. */
import { disabledById, upcomingChange } from '../../src/spec/releases/upcoming-changes.js';

test('release 3.7, which has removed these parts, marks nothing', () => {
  const part = disabledById('getV2Package-vetting');
  expect(upcomingChange('3.6', part, 'a')).toMatchObject({ effect: 'removes', release: '3.7' });
  expect(upcomingChange('3.7', part, 'a')).toBeUndefined();
});

test('there is no row for a call without an operation, or for a name that every object has', () => {
  expect(disabledById(undefined)).toBeUndefined();
  expect(disabledById('toString')).toBeUndefined();
});
