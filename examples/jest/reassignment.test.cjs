/** CommonJS, and a world from a scenario file: a contract on its way from one synchronizer to another. */
const { useCanticle } = require('canticle/jest');

const canticle = useCanticle({ scenario: require.resolve('./reassignment.yaml'), listen: false });
const { participant, scenario } = canticle;
const alice = scenario.named('alice');
const iou = scenario.named('iou');

test('a contract travels', () => {
  expect(iou).toBeOn('global');
  const reassignment = participant.unassign(iou, { to: 'app' });
  expect(iou).toBeInFlight();
  participant.assign(reassignment);
  expect(iou).toBeOn('app');
  expect(iou).toHaveReassignmentCounter(1);
});

test('a contract in flight cannot be archived', () => {
  participant.unassign(iou, { to: 'app' });
  const archive = () =>
    participant.archive('#canticle-quickstart:Quickstart.Iou:Iou', iou, { actAs: [alice] });
  expect(archive).toBeCantonError('UNKNOWN_CONTRACT_SYNCHRONIZERS');
  expect(iou).toBeInFlight();
});
