/** A request in plain words: its commands, and what they would do. */
import { isJsonObject } from '../../daml/model/own-members.js';
import type {
  SimulatedContract,
  SimulatedStep,
} from '../../network/simulation/simulation-types.js';
import { escapeHtml } from '../../services/pages/html.js';
import { code, facts } from './frame.js';

/** The characters of a value that a page shows. */
export const MAX_SHOWN_VALUE = 300;
/** The commands and contracts that a page shows. */
export const MAX_SHOWN_ITEMS = 50;

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});

/** The members of the commands of the Ledger API that hold their parts. */
const KINDS: Readonly<
  Record<string, { readonly says: (body: Members) => string; readonly argument: string }>
> = {
  CreateCommand: {
    says: ({ templateId }) => `Create a contract of ${entity(templateId)}`,
    argument: 'createArguments',
  },
  ExerciseCommand: {
    says: ({ choice, templateId, contractId }) =>
      `Exercise ${strong(choice)} on contract ${shortId(contractId)} of ${entity(templateId)}`,
    argument: 'choiceArgument',
  },
  ExerciseByKeyCommand: {
    says: ({ choice, templateId }) =>
      `Exercise ${strong(choice)} on the contract of ${entity(templateId)} with a key`,
    argument: 'choiceArgument',
  },
  CreateAndExerciseCommand: {
    says: ({ choice, templateId }) =>
      `Create a contract of ${entity(templateId)}, and exercise ${strong(choice)} on it`,
    argument: 'choiceArgument',
  },
};

/** The commands as a list of HTML. */
export function commandsInWords(commands: unknown): string {
  const list: readonly unknown[] = Array.isArray(commands) ? commands : [commands];
  return limited(
    list.flatMap((each) => Object.entries(membersOf(each))),
    ([kind, body]) => {
      const { says, argument } = KINDS[kind] ?? {
        says: () => escapeHtml(kind),
        argument: '',
      };
      const members = membersOf(body);
      return `<li class="card"><p>${says(members)}</p>${valueFacts(members[argument])}</li>`;
    },
  );
}

/** The effects of a request, from its simulation. */
export function effectsInWords(step: SimulatedStep): string {
  const { outcome, error, created, archived, cost } = step;
  if (outcome === 'refused')
    return `<div class="notice bad" role="alert"><p>The ledger would reject this now: ${code(error?.code ?? '')}</p><p>${escapeHtml(error?.cause ?? '')}</p></div>`;
  const waits =
    outcome === 'waiting' ? '<p>It would wait, because its synchronizer is paused.</p>' : '';
  const nothing = created.length + archived.length === 0 ? '<p>It changes no contract.</p>' : '';
  return [
    waits,
    nothing,
    limited(created, (each) => contract('Creates', each)),
    limited(archived, (each) => contract('Archives', each)),
    cost === undefined
      ? ''
      : facts(['Estimated traffic cost', `${cost.bytes} bytes${available(cost.available)}`]),
  ].join('');
}

const available = (bytes: number | undefined): string =>
  bytes === undefined ? '' : `, of ${bytes} that the participant has`;

const contract = (verb: string, { template, payload, signatories }: SimulatedContract): string =>
  `<li class="card"><p>${verb} a contract of ${entity(template)}</p>${valueFacts(payload)}${facts(['Signatories', signatories.map(party).join(', ')])}</li>`;

function limited<T>(items: readonly T[], shown: (item: T) => string): string {
  if (items.length === 0) return '';
  const more = items.length - MAX_SHOWN_ITEMS;
  const rest = more > 0 ? `<li class="card">and ${more} more</li>` : '';
  return `<ul>${items.slice(0, MAX_SHOWN_ITEMS).map(shown).join('')}${rest}</ul>`;
}

function valueFacts(value: unknown): string {
  const rows = Object.entries(membersOf(value));
  if (rows.length === 0) return '';
  const shown = rows
    .slice(0, MAX_SHOWN_ITEMS)
    .map(([name, member]) => [name, valueInWords(member)] as const);
  return facts(...shown);
}

function valueInWords(value: unknown): string {
  if (Array.isArray(value) && !value.some((each) => typeof each === 'object'))
    return value.length === 0
      ? 'none'
      : value.slice(0, MAX_SHOWN_ITEMS).map(valueInWords).join(', ');
  if (typeof value === 'string' && /^[^:\s]+::1220[\da-f]{64}$/.test(value)) return party(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escapeHtml(text.length > MAX_SHOWN_VALUE ? `${text.slice(0, MAX_SHOWN_VALUE)}…` : text);
}

/** A party by the start of its id, with the whole id for who needs it. */
export function party(id: string): string {
  const [hint = '', namespace = ''] = id.split('::');
  const short = namespace === '' ? hint : `${hint}::${namespace.slice(0, 8)}…`;
  return `<code title="${escapeHtml(id)}">${escapeHtml(short)}</code>`;
}

const shortId = (id: unknown): string => {
  const text = String(id);
  return `<code title="${escapeHtml(text)}">${escapeHtml(`${text.slice(0, 8)}…`)}</code>`;
};

/** A template without its package. */
const entity = (id: unknown): string => strong(String(id).split(':').slice(1).join(':'));
const strong = (text: unknown): string => `<strong>${escapeHtml(String(text))}</strong>`;
