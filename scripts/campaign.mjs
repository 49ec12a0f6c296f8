// `npm run soak` and `npm run fuzz`, with `-- --seed N --runs N`: the campaigns of test/campaigns, of which `npm test` runs a small part.
// The same seed sends the same requests. A failure prints how to reproduce it.
import { parseArgs } from 'node:util';
import { endWith, generate, runNode, tool } from './steps.mjs';

const RUNS = { soak: 100, fuzz: 10_000 };

async function campaign([name, ...rest]) {
  if (!(name in RUNS)) throw new Error(`unknown campaign: ${name}. Use soak or fuzz`);
  const { values } = parseArgs({
    args: rest,
    options: { seed: { type: 'string', default: '1' }, runs: { type: 'string' } },
  });
  process.env.CANTICLE_SEED = values.seed;
  process.env.CANTICLE_RUNS = values.runs ?? String(RUNS[name]);
  await generate();
  const limits = ['--testTimeout', String(2 ** 31 - 1), '--runInBand'];
  const suite = `test/campaigns/${name}.test.ts`;
  await runNode([tool('jest/bin/jest.js'), suite, ...limits], { oneStream: true });
}

endWith(campaign(process.argv.slice(2)));
