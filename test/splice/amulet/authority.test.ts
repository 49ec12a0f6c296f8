/**
 * Each choice of the real packages requires exactly the controllers in the Daml source. Contracts and arguments are any that their
 * templates allow. A stranger who sees everything tries to exercise.
 */
import fc from 'fast-check';
import { choiceArgument, damlJson } from '../../../src/testing/fast-check.js';
import { AMULET_DAR, amuletWorld, WITH_FEES } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { CONTROLLERS, partiesAt } from '../../support/splice/controllers.js';
import { answer } from '../../support/daml/lf-probe.js';
import { check } from '../../support/property.js';

const DARS = [
  AMULET_DAR,
  'splice-wallet-0.1.14.dar',
  'splice-wallet-payments-0.1.14.dar',
  'canton-builtin-admin-workflow-ping.dar',
  'canton-builtin-admin-workflow-party-replication-alpha.dar',
] as const;

/** Few arguments of them are all that `ensure` asks for. */
const MOSTLY_REFUSED = { numRuns: 2, maxSkipsPerRun: 500 };

describeWithDars('the controllers', DARS, (amuletDar, ...dars) => {
  const { canticle, dso } = amuletWorld(amuletDar, WITH_FEES, dars);
  const { participant, coverage, amulet } = canticle;
  const known = ['a', 'b', 'c', 'd', 'e'].map((hint) => participant.allocateParty(hint));
  const stranger = participant.allocateParty('stranger');
  const parties = [dso, ...known];
  const templates = coverage
    .report({ packages: Object.keys(CONTROLLERS) })
    .packages.flatMap(({ name, templates }) =>
      templates.map((template) => ({ ...template, id: `#${name}:${template.name}`, of: name })),
    )
    .filter(({ choices }) => choices.length > 1);

  /** Rules that make sense are not made by chance. */
  const payloadsOf = (id: string) =>
    id.endsWith(':AmuletRules')
      ? fc.constant(participant.contract(amulet.rules)!.payload)
      : damlJson(canticle, id, { parties });

  test.each(templates)('of each choice of $name', ({ id, name, of, choices }) => {
    const rows = CONTROLLERS[of]![name] ?? {};
    const own = choices.filter((choice) => choice.name !== 'Archive');
    expect(Object.keys(rows).sort()).toEqual(own.map((choice) => choice.name).sort());
    for (const choice of own) {
      const definition = choice.interface === undefined ? id : interfaceId(choice.interface);
      const argumentsOf = choiceArgument(canticle, definition, choice.name, { parties });
      check(
        fc.property(payloadsOf(id), argumentsOf, (payload, argument) => {
          const created = answer(() => participant.create(id, payload, { actAs: parties }));
          fc.pre(typeof created === 'string');
          const exercise = () =>
            participant.exercise(definition, created as string, choice.name, argument, {
              actAs: [stranger],
              readAs: parties,
            });
          const required = partiesAt(rows[choice.name]!, payload, argument);
          fc.pre(required.length > 0);
          expect(answer(exercise)).toMatchObject({
            refused: 'DAML_AUTHORIZATION_ERROR',
            cause: expect.stringContaining(
              ` requires authorizers ${required.join(',')}, but only ${stranger} were given`,
            ) as string,
          });
        }),
        MOSTLY_REFUSED,
      );
    }
  });

  /** The id of an interface, by name only. */
  function interfaceId(name: string): string {
    const { packages } = participant.engine;
    const id = packages.ids().find((each) => packages.package(each)!.interfaces.has(name));
    return `${id}:${name}`;
  }
});
