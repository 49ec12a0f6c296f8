/** The text of a simulation, with a few lines for each step. */
import type {
  SimulatedContract,
  SimulatedStep,
  Simulation,
} from '../../network/simulation/simulation-types.js';

export function simulationText({ outcome, steps }: Simulation): string {
  const lines = steps.flatMap((step, place) => [`${place}  ${headOf(step)}`, ...linesOf(step), '']);
  return `${[...lines, `would be ${outcome}`].join('\n')}\n`;
}

function headOf({ outcome, participant, actAs, time }: SimulatedStep): string {
  return `${outcome}  as ${actAs.map(short).join(', ')} at ${participant}, ${time}`;
}

function linesOf(step: SimulatedStep): string[] {
  const { archived, created, returned, moved, witnesses, missing, cost, error } = step;
  return [
    ...moved.map(
      ({ contractId, source, target }) =>
        `moves     ${short(contractId)} from ${short(source)} to ${short(target)}`,
    ),
    ...archived.map((each) => `archives  ${contractText(each)}`),
    ...created.map((each) => `creates   ${contractText(each)}`),
    ...returned.flatMap(({ choice, result }) =>
      choice === undefined ? [] : [`returns   ${choice}: ${JSON.stringify(result)}`],
    ),
    ...witnesses.map(
      ({ party, participants, created: made, exercised }) =>
        `seen by   ${short(party)} (${participants.join(', ') || 'hosted nowhere'}): ${made.length} created, ${exercised.length} exercised`,
    ),
    ...(cost ? [`costs     ${cost.bytes} bytes of traffic`] : []),
    ...(error ? [`${error.code}: ${error.cause}`, ...error.reasons] : []),
    ...missing.map(({ parties }) => `missing   the authority of ${parties.map(short).join(', ')}`),
  ].map((line) => `   ${line}`);
}

const contractText = ({ template, payload, contractId }: SimulatedContract): string =>
  `${template} ${JSON.stringify(payload)} ${short(contractId)}`;

const SHORT = 16;

/** The first part of an id, or as much as makes it unique. */
function short(id: string): string {
  const end = id.lastIndexOf('::');
  if (end > 0) return id.slice(0, end);
  return id.length > SHORT ? `${id.slice(0, SHORT)}…` : id;
}
