/** How much a page of the inspector asks for at once, and how long it waits. */
import { createCanticle } from 'canticle';

const canticle = createCanticle();
const inspect = async (path: string) => {
  const answer = await canticle.handle({ path: `/canticle/v1/inspection/${path}` });
  return [answer.status, (answer.json() as { error?: string }).error];
};

it.each(['updates', 'contracts'])('%s have pages of 1 to 1000', async (list) => {
  for (const limit of [1, 1000])
    expect(await inspect(`${list}?limit=${limit}`)).toEqual([200, undefined]);
  for (const limit of [0, 1001])
    expect((await inspect(`${list}?limit=${limit}`))[1]).toBe(
      `limit is from 1 to 1000, and was ${limit}.`,
    );
});

it('a request waits up to 15 seconds for a change', async () => {
  // The page's state is out of date, so that the answer does not wait.
  for (const wait of [0, 15_000])
    expect(await inspect(`changes?after=old&wait=${wait}`)).toEqual([200, undefined]);
  for (const wait of [-1, 15_001])
    expect(await inspect(`changes?after=old&wait=${wait}`)).toEqual([
      400,
      `wait is from 0 to 15000 milliseconds, and was ${wait}.`,
    ]);
});
