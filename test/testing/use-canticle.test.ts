/** One line starts an instance: there at once, listening when tests run, rewound after each. */
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { lookAt, useCanticle } from '../../src/testing/jest.js';
import { noting } from '../../src/testing/runner/noted-tests.js';
import { SERVER_CERT, SERVER_KEY } from '../support/certificates.js';
import { IOU } from '../support/ledger.js';

const scenarios = join(__dirname, '..', '..', 'scenarios');

const canticle = useCanticle({ seed: 7 });
const alice = canticle.participant.allocateParty('alice');
const issue = (): string =>
  canticle.participant.create(
    IOU,
    { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
    { actAs: [alice] },
  );

let shared: string;
beforeAll(() => {
  shared = issue();
});

describe('between tests', () => {
  let nested: string;
  let end: number;
  beforeAll(() => {
    nested = issue();
    end = canticle.participant.ledgerEnd;
  });

  it.each([1, 2])(
    'retains contracts that were made outside of tests, and reverts a test: %i',
    () => {
      expect(canticle.participant.ledgerEnd).toBe(end);
      expect(shared).toBeActive();
      expect(nested).toBeActive();
      canticle.participant.archive(IOU, shared, { actAs: [alice] });
      canticle.advanceTime({ days: 1 });
      expect(shared).toBeArchived();
    },
  );

  it('clears the request journal', async () => {
    expect(canticle.requests.list()).toEqual([]);
    await fetch(`${canticle.urls.ledgerApi}/livez`);
    expect(canticle.requests.list()).toHaveLength(1);
  });
});

describe('host and TLS options', () => {
  const secured = useCanticle({ tls: { cert: SERVER_CERT, key: SERVER_KEY }, host: '::1' });
  it('apply together with the options of the world', () =>
    expect(secured.urls.ledgerApi).toBe(`https://[::1]:${secured.port}`));
});

describe('a reset in a test', () => {
  const own = useCanticle({ seed: 8, listen: false });
  const zoe = own.participant.allocateParty('zoe');
  let start: number;
  beforeEach(() => {
    own.token.mint(zoe, '1.0');
    start = own.participant.ledgerEnd;
  });

  it.each([1, 2])('retains the contracts of the file, and reverts the test: %i', () => {
    own.token.mint(zoe, '1.0');
    own.participant.allocateParty('yves');
    own.reset();
    expect(own.participant.ledgerEnd).toBeLessThan(start);
    expect(zoe).toHold(0);
    own.participant.allocateParty('yves');
  });

  it('does the same over HTTP', async () => {
    await own.handle({ method: 'POST', path: '/canticle/v1/reset' });
    expect(own.participant.ledgerEnd).toBeLessThan(start);
    expect(zoe).toHold(0);
  });
});

describe('a test that reverts to an earlier snapshot', () => {
  const own = useCanticle({ seed: 8, listen: false });
  const start = own.participant.ledgerEnd;
  let early: string;
  let zoe: string;
  beforeAll(() => {
    early = own.snapshot();
    zoe = own.participant.allocateParty('zoe');
  });

  it('removes later contracts', () => {
    expect(own.participant.engine.hosts(zoe)).toBe(true);
    own.revert(early);
    expect(own.participant.engine.hosts(zoe)).toBe(false);
    expect(own.participant.ledgerEnd).toBe(start);
    own.participant.allocateParty('yves');
  });

  it('is reverted to the snapshot that the test reverted to', () => {
    expect(own.participant.ledgerEnd).toBe(start);
    own.participant.allocateParty('yves');
    own.participant.allocateParty('zoe');
  });
});

describe('revert: never', () => {
  const own = useCanticle({ seed: 8, listen: false, revert: 'never' });
  const before = own.participant.ledgerEnd;
  it.each([1, 2])('keeps the effects of earlier tests: %i', (round) => {
    own.participant.allocateParty(`party-${round}`);
    expect(own.participant.ledgerEnd).toBe(before + round);
  });

  it('resets to the start of the first test', () => {
    own.reset();
    expect(own.participant.ledgerEnd).toBe(before);
  });

  it('does not listen with listen: false', () => {
    expect(() => own.port).toThrow('does not listen');
  });
});

describe('a scenario', () => {
  const own = useCanticle({ scenario: join(scenarios, 'two-synchronizers.yaml'), listen: false });
  const iou = own.scenario.named('iou');

  it.each([1, 2])('is the initial world of every test: %i', () => {
    expect(iou).toBeOn('global');
    expect(iou).toHaveReassignmentCounter(2);
    own.participant.unassign(iou, { to: 'app-synchronizer' });
    expect(iou).toBeInFlight();
  });
});

describe('the address', () => {
  const own = useCanticle({ host: '127.0.0.1', ports: { sandbox: 0 } });
  let missing = '';
  try {
    missing = own.urls.ledgerApi;
  } catch (error) {
    missing = (error as Error).message;
  }

  it('follows the options, and is available from the first hook on', async () => {
    expect(missing).toContain('one of useCanticle listens from the first beforeAll on');
    expect((await fetch(`${own.urls.ledgerApi}/livez`)).status).toBe(200);
  });

  it('is validated, and is rejected if listen is false', () => {
    const runner = { beforeAll() {}, beforeEach() {}, afterEach() {}, afterAll() {} };
    expect(() => useCanticle({ port: 80_000, runner })).toThrow('from 0 to 65535');
    expect(() => useCanticle({ port: 0, listen: false, runner })).toThrow(
      'port cannot be used with listen: false',
    );
  });

  it('suggests an option if the port is taken', async () => {
    const hooks: (() => void | Promise<void>)[] = [];
    const runner = {
      beforeAll: (hook: () => void | Promise<void>) => hooks.push(hook),
      beforeEach() {},
      afterEach() {},
      afterAll() {},
    };
    useCanticle({ port: own.port, runner });
    await expect(hooks[0]!()).rejects.toThrow('Remove the option port to use a free port');
  });
});

describe('a custom runner', () => {
  type Action = (context?: object) => void | Promise<void>;
  const hooks: Record<string, Action> = {};
  const hook = (name: string) => (action: Action) => void (hooks[name] = action);
  const runner = {
    beforeAll: hook('beforeAll'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    afterAll: hook('afterAll'),
    expect: {
      extend: (matchers: Record<string, unknown>) => void (extended = Object.keys(matchers)),
    },
  };
  let extended: string[] = [];

  it('registers the hooks and the matchers', async () => {
    const own = useCanticle({ seed: 9, runner });
    expect(extended.sort()).toEqual([
      'toBeActive',
      'toBeArchived',
      'toBeCantonError',
      'toBeInFlight',
      'toBeOn',
      'toBeSeenBy',
      'toBeSeenOnlyBy',
      'toCostAtMost',
      'toHaveAnswered',
      'toHavePayload',
      'toHaveReassignmentCounter',
      'toHold',
      'toKnowNothingOf',
      'toSee',
    ]);
    await hooks.beforeAll!();
    expect(own.port).toBeGreaterThan(0);
    await hooks.beforeEach!();
    const zoe = own.participant.allocateParty('zoe');
    expect(zoe).toHold(0);
    await hooks.afterEach!();
    expect(() => expect(zoe).toHold(0)).toThrow('No participant hosts');
    await hooks.afterAll!();
    expect(() => own.port).toThrow('does not listen');
  });

  it('retains the ledger of a failed test on request, and prints the address of its page', async () => {
    process.env['CANTICLE_KEEP'] = '1';
    const printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const own = useCanticle({ seed: 9, runner, listen: false });
      await hooks.beforeAll!();
      const end = own.participant.ledgerEnd;
      await hooks.beforeEach!();
      own.participant.allocateParty('zoe');
      await hooks.afterEach!({ passed: true });
      expect([own.participant.ledgerEnd, printed.mock.calls]).toEqual([end, []]);
      await hooks.beforeEach!();
      own.participant.allocateParty('zoe');
      const ended = hooks.afterEach!({ task: { result: { state: 'fail' } } });
      // It listens by then, although listen is false.
      while (printed.mock.calls.length === 0) await new Promise(setImmediate);
      const [message] = printed.mock.calls[0]!;
      expect(message).toContain(`stays open: ${own.urls.inspector} `);
      const { updates } = (await (
        await fetch(`${own.urls.control}/inspection/updates`)
      ).json()) as any;
      expect(updates[0].summary[0]).toMatch(/^added zoe::/);
      await own.close();
      await ended;
      expect(own.participant.ledgerEnd).toBe(end);
    } finally {
      printed.mockRestore();
      delete process.env['CANTICLE_KEEP'];
    }
  });
});

it('records failures of tests that are declared to fail, in each form of declaration', async () => {
  const bodies: ((...args: unknown[]) => unknown)[] = [];
  const declare = (_name: string, body: (typeof bodies)[0]) => void bodies.push(body);
  const each = (rows: unknown[]) => (name: string, body: (typeof bodies)[0]) =>
    rows.forEach((row) => declare(name, () => body(row)));
  let failures = 0;
  const declared = noting(Object.assign(declare, { only: declare, each }), () => (failures += 1));
  const fail = (): never => {
    throw new Error('on purpose');
  };
  declared('passes', () => 1);
  declared('waits for a callback', (_done) => undefined);
  declared('throws', fail);
  declared.only('rejects', async () => fail());
  declared.each(['a row'])('throws', fail);
  expect(bodies.map(({ length }) => length)).toEqual([0, 1, 0, 0, 0]);
  const results = await Promise.allSettled(bodies.map(async (body) => body()));
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    ...['rejected', 'rejected', 'rejected'],
  ]);
  expect(failures).toBe(3);
});

it('matchers accept another instance', () => {
  const own = createCanticle({ seed: 10 });
  lookAt(own);
  expect(own.participant.allocateParty('zoe')).toHold(0);
});
