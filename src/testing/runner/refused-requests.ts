/** The last rejected requests of a failed test, with their reasons. A client under test often hides them. */
import type { Canticle } from '../../assembly/canticle.js';
import { printable, spelledOut } from '../../daml/errors/printable.js';
import type { JournalEntry } from '../../services/request-journal.js';

/** Maximum number of requests in the text: the newest of the test. */
const MAX_SHOWN_REQUESTS = 5;
/** Maximum length of the reason of a request, in characters. */
const MAX_SHOWN_REASON = 4000;

/** @param since the id of the first request of the test @returns undefined if the test has no rejected request */
export function refusedText({ requests }: Canticle, since: number): string | undefined {
  const all = requests
    .list({ since })
    .filter(({ outcome, api }) => outcome !== 'answered' && api !== 'control');
  if (all.length === 0) return undefined;
  const shown = all.slice(-MAX_SHOWN_REQUESTS);
  const left = all.length - shown.length;
  const head =
    left === 0
      ? 'Rejected requests of this test:'
      : `The last ${shown.length} of ${all.length} rejected requests of this test:`;
  const lines = shown.flatMap((entry) => [lineOf(entry), ...reasonOf(requests, entry)]);
  return [head, ...lines].join('\n');
}

const lineOf = ({ method, path, status, error }: JournalEntry): string =>
  spelledOut(`  ${method} ${path}: ${status}${error === undefined ? '' : ` ${error}`}`);

/** The complete explanation of a submission, or else a sentence, with indented lines. */
function reasonOf(requests: Canticle['requests'], entry: JournalEntry): readonly string[] {
  const { id, explanation, validation } = entry;
  const { path = '', reason = '' } = validation;
  const invalid = validation.ok ? undefined : [path, reason].filter(Boolean).join(': ');
  const text = requests.explain(id)?.text() ?? explanation ?? invalid;
  if (!text) return [];
  const cut = text.length <= MAX_SHOWN_REASON ? text : `${text.slice(0, MAX_SHOWN_REASON)}…`;
  return printable(cut)
    .split('\n')
    .map((line) => `      ${line}`);
}
