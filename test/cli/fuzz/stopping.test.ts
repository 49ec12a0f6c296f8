/** The end of a run of `canticle fuzz` by a time or a signal. The test controls the clock. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyHead } from '../../fuzzing/zoo/crashes.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere } from '../in-process.js';

const folder = useTemporaryFolder();
const SECOND = 1_000;

function dar(fixed = true): string {
  const path = join(folder(), `${fixed}.dar`);
  writeFileSync(path, buildDar(emptyHead(fixed)));
  return path;
}

/** The command looks at its clock at its start, and then before each 20 sequences. */
class WithClock extends CommandHere {
  looks = 0;

  protected override get parts() {
    const now = () => this.look(this.looks++);
    return { clock: { now, after: () => () => undefined } };
  }

  /** Milliseconds. */
  protected look(_number: number): number {
    return 0;
  }
}

const sequencesIn = (stdout: string): number =>
  Number(/ (\S+) sequences?,/.exec(stdout)![1]!.replace(',', ''));

describe('--minutes', () => {
  /** Time passes by as much as this between two looks. */
  const ranFor = async (minutes: number, step: number) => {
    class Passing extends WithClock {
      protected override look(number: number): number {
        return number * step;
      }
    }
    const command = new Passing('fuzz', dar(), '--minutes', String(minutes));
    const { status, stdout } = await command.ended();
    expect(status).toBe(0);
    expect(stdout).not.toContain('stopped');
    return sequencesIn(stdout);
  };

  it('ends the run when the time has passed', async () => {
    expect(await ranFor(1, 30 * SECOND)).toBe(20);
    expect(await ranFor(1, 20 * SECOND)).toBe(40);
    expect(await ranFor(2, 30 * SECOND)).toBe(60);
  });

  it('runs until the number of sequences, if that is less', async () => {
    class Still extends WithClock {}
    const command = new Still('fuzz', dar(), '--minutes', '1', '--runs', '45');
    expect(sequencesIn((await command.ended()).stdout)).toBe(45);
  });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  class Interrupted extends WithClock {
    protected override look(number: number): number {
      if (number === 4) this.stop(signal);
      return 0;
    }
  }

  it('stops the run, which reports what it found and keeps its corpus', async () => {
    const corpus = join(folder(), signal);
    const flags = ['--minutes', '9', '--corpus', corpus, '--emit', join(folder(), 'bugs')];
    const command = new Interrupted('fuzz', dar(false), ...flags);
    const { status, stdout } = await command.ended();
    expect(status).toBe(1);
    expect(stdout).toContain('stopped by a signal');
    expect(stdout).toContain('✗ partial-function at Main:');
    expect(sequencesIn(stdout)).toBe(80);
    expect(command.looks).toBe(5);
    expect(readdirSync(corpus).length).toBeGreaterThan(1);
    expect(readdirSync(join(corpus, 'bugs'))).toHaveLength(1);
  });
});
