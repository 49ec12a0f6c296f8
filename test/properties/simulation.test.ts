/**
 * Simulates each submission first: the simulation does not change a byte of the network, and predicts the result of
 * the submission, including ids.
 */
import fc from 'fast-check';
import { check, isUsualRun } from '../support/property.js';
import type { JsonAnswer } from '../support/ledger-api.js';
import { steps } from './commands.js';
import type { Host } from './model/world.js';
import { RealLedger } from './real-ledger.js';
import { SideBySide } from './side-by-side.js';

const SUBMIT = '/v2/commands/submit-and-wait-for-transaction';
const reached = new Map<string, number>();

class Foretelling extends RealLedger {
  override async on(host: Host, path: string, body?: JsonAnswer): Promise<JsonAnswer> {
    if (path !== SUBMIT) return super.on(host, path, body);
    const { canticle } = this;
    const before = canticle.dump();
    const [step] = (
      await this.request('/canticle/v1/simulate', {
        steps: [withoutAbsent({ ...body.commands, participant: host })],
      })
    ).steps;
    expect(Buffer.compare(canticle.dump(), before)).toBe(0);
    const code = step.error?.code ?? step.outcome;
    reached.set(code, (reached.get(code) ?? 0) + 1);
    try {
      const answer = await super.on(host, path, body);
      const { updateId, events } = answer.transaction;
      const ids = (nodes: JsonAnswer[], of: (each: JsonAnswer) => JsonAnswer): string[] =>
        nodes.map(of).filter((each) => each !== undefined);
      expect([step.outcome, step.trace.update.updateId]).toEqual(['accepted', updateId]);
      expect(
        ids(step.trace.nodes, ({ kind, contractId }) =>
          kind === 'create' ? contractId : undefined,
        ),
      ).toEqual(ids(events, ({ CreatedEvent }) => CreatedEvent?.contractId));
      return answer;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      expect(code).toBe(error.code);
      throw error;
    }
  }
}

const withoutAbsent = (fields: JsonAnswer): JsonAnswer =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

it('a simulation changes no state, and predicts the result of the submission', async () => {
  await check(
    fc.asyncProperty(steps, async (list) => {
      await new SideBySide(new Foretelling()).run(list);
    }),
    { numRuns: 3 },
  );
  if (!isUsualRun) return;
  expect(reached.get('accepted')).toBeGreaterThan(10);
  expect(reached.size).toBeGreaterThan(4);
});
