/** The sequence diagram of a trace: every text is inside the picture. */
import { createCanticle, sequenceDiagram } from 'canticle';

/** The usual maximum width of a letter, as in the picture's layout. */
const LETTER = 7;

function edgesOf(svg: string): { readonly left: number; readonly right: number } {
  const texts = [...svg.matchAll(/<text x="(\d+)" [^>]*?(text-anchor="middle")?[^>]*>([^<]*)</g)];
  const spans = texts.map(([whole, x, , text]) => {
    const width = LETTER * text!.length;
    const start = Number(x) - (whole!.includes('middle') ? width / 2 : 0);
    return [start, start + width];
  });
  return {
    left: Math.min(...spans.map(([start]) => start!)),
    right: Math.max(...spans.map(([, end]) => end!)),
  };
}

it.each([
  ['a', 'b'],
  ['alice-who-has-a-name-that-is-longer-than-any-lane', 'b'],
  ['a', 'bob-who-has-a-name-that-is-longer-than-any-lane'],
  ['a-name-so-long-that-it-is-cut-'.repeat(4), 'another-name-so-long-that-it-is-cut-'.repeat(4)],
])('keeps names and arrow texts inside the picture: %s, %s', (first, second) => {
  const canticle = createCanticle({ seed: 1 });
  const { participant, token, network } = canticle;
  const [from, to] = [participant.allocateParty(first), participant.allocateParty(second)];
  token.mint(from, '10.0');
  const { instruction } = token.transfer({ from, to, amount: '1.0' });
  token.accept(instruction, to);
  const { updates } = network;
  const svg = sequenceDiagram(canticle.trace(updates.at(updates.length - 1)!.updateId));
  const width = Number(/<svg [^>]*?width="(\d+)"/.exec(svg)?.[1]);
  const { left, right } = edgesOf(svg);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
});
