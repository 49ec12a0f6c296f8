/** The host and port that a validator reports for a sequencer's URL. */
import { endpointOf } from '../../../src/services/validator/participant.js';

test.each([
  ['http://canton:5008', 'canton:5008'],
  ['https://canton:5008/', 'canton:5008'],
  ['http://sequencer.example', 'sequencer.example:80'],
  ['https://sequencer.example', 'sequencer.example:443'],
])('the endpoint of %s is %s', (url, endpoint) => {
  expect(endpointOf(url)).toBe(endpoint);
});
