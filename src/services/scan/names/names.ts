/** Scan's name service (S-ANS-*, S-RUL-003). */
import { formatTimestamp } from '../../../daml/model/time.js';
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type {
  AnsEntry,
  GetAnsRulesResponse,
  ListEntriesResponse,
  LookupEntryByNameResponse,
  LookupEntryByPartyResponse,
} from '../../../spec/generated/scan.js';
import { latestOf } from '../../../splice/dso/amulet-contracts.js';
import { dsoNames, nameOf, userEntries, type DsoName } from '../../../splice/dso/names.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { UNEXPECTED, unlessCached } from '../formats/contracts.js';
import { checkPageSize, readParty } from '../formats/requests.js';

export const nameHandlers = {
  listAnsEntries: ({ splice }, { query }) => listEntries(splice, query),
  lookupAnsEntryByParty: ({ splice }, { path }) => entryByParty(splice, path.party),
  lookupAnsEntryByName: ({ splice }, { path }) => entryByName(splice, path.name),
  getAnsRules: ({ splice }, { body }) => ansRules(splice, body.cached_ans_rules_contract_id),
} satisfies SomeHandlers<'scan'>;

/** Names of users come first. Names of the DSO fill the rest of the page (S-ANS-003). */
export function listEntries(
  splice: Splice,
  { name_prefix = '', page_size }: { name_prefix?: string; page_size: number },
): ListEntriesResponse {
  checkPageSize(page_size);
  const dsoRules = latestOf(splice, 'dsoRules');
  const users = userEntries(splice)
    .filter((entry) => nameOf(entry).startsWith(name_prefix))
    .map(userEntry);
  const dsos = (dsoRules === undefined ? [] : dsoNames(splice, dsoRules))
    .filter(({ name }) => name.startsWith(name_prefix))
    .map(dsoEntry);
  return { entries: [...users, ...dsos].slice(0, page_size) };
}

/** A name of the DSO takes precedence over the same name of a user (S-ANS-006). */
export function entryByName(splice: Splice, name: string): LookupEntryByNameResponse {
  const dsos = dsoNames(splice, neededDsoRules(splice)).find((each) => each.name === name);
  const user = userEntries(splice).find((each) => nameOf(each) === name);
  return { entry: found(dsos, user, `No ans entry found for name: ${name}`) };
}

export function entryByParty(splice: Splice, text: string): LookupEntryByPartyResponse {
  const party = readParty(text);
  const dsos = dsoNames(splice, neededDsoRules(splice)).find(({ user }) => user === party);
  const user = userEntries(splice).find(({ payload }) => payload.user === party);
  return { entry: found(dsos, user, `No ans entry found for party: ${party}`) };
}

/** NOTE: without rules, the real Scan fails, and so does this one. */
export function ansRules(splice: Splice, cached: string | undefined): GetAnsRulesResponse {
  const rules = latestOf(splice, 'ansRules');
  if (rules === undefined) throw new HttpRefusal(500, UNEXPECTED);
  return { ans_rules_update: unlessCached(splice, rules, [cached]) };
}

function neededDsoRules(splice: Splice): ContractInstance {
  const rules = latestOf(splice, 'dsoRules');
  if (rules === undefined) throw new HttpRefusal(404, 'No DsoRules contract found');
  return rules;
}

function found(
  dsos: DsoName | undefined,
  user: ContractInstance | undefined,
  otherwise: string,
): AnsEntry {
  if (dsos !== undefined) return dsoEntry(dsos);
  if (user !== undefined) return userEntry(user);
  throw new HttpRefusal(404, otherwise);
}

function userEntry({ contractId, payload }: ContractInstance): AnsEntry {
  return {
    contract_id: contractId,
    user: payload.user as string,
    name: payload.name as string,
    url: payload.url as string,
    description: payload.description as string,
    expires_at: formatTimestamp(payload.expiresAt as Timestamp),
  };
}

/** An entry without a contract, which never expires (S-ANS-004). */
function dsoEntry({ user, name }: DsoName): AnsEntry {
  return { user, name, url: '', description: '' };
}
