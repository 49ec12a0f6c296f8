/**
 * The effects of statements on their session, read from their text. All connections share one session of the database, so the port
 * changes the names in these statements, and runs some of them itself.
 */
import { error } from './errors.js';
import { identifier } from './messages.js';
import { statementsOf, type Statement, type Token } from './tokens.js';

/** The settings of PQS that `set_latest` and `set_oldest` change. */
export const PQS_SETTINGS = ['pqs.session_offset_latest', 'pqs.session_offset_oldest'];

/** An effect that the port produces itself. An empty statement takes the place of the client's. */
export type Action =
  | { readonly kind: 'deallocate-all' | 'discard-all' | 'discard-temporary' }
  | { readonly kind: 'unlisten'; readonly channel: string | undefined };

export interface Effects {
  /** The text to run. */
  readonly sql: string;
  /** Settings that may change. */
  readonly settings: readonly string[];
  /** Settings may change whose names are not in the text. */
  readonly isUnknown: boolean;
  /** Settings that return to the values of the start of the connection: their names, or all. */
  readonly reset: readonly string[] | 'all';
  readonly listens: readonly string[];
  /** Whether it may create temporary tables. */
  readonly isTemporary: boolean;
  /** The format of the data if the only statement is COPY … FROM STDIN. */
  readonly copiesIn: 'text' | 'binary' | undefined;
  /** Whether PostgreSQL could wait for the data of a COPY. */
  readonly mayCopy: boolean;
  /** Own actions by the position of their statement, and the tags of their answers. */
  readonly actions: ReadonlyMap<number, { readonly action: Action; readonly tag: string }>;
  readonly statements: number;
  /** Names that may be settings which a new function changes; nothing if it defines no such function. */
  readonly defines: readonly string[] | undefined;
}

/** @param internal the name in the database for a prepared statement of this connection */
export type InternalName = (name: string) => string;

const SUSPECT =
  /\b(?:prepare|execute|deallocate|discard|listen|unlisten|set|reset|temp|temporary|declare|copy|set_config|set_latest|set_oldest)\b/i;
const EMPTY = 'do $$begin end$$';
/** PostgreSQL keeps this many bytes of a name. */
const NAME_BYTES = 63;

/** @throws SqlError for what connections of one session cannot have */
export function effectsOf(sql: string, internal: InternalName): Effects {
  const none = {
    ...{
      sql,
      settings: [],
      isUnknown: false,
      reset: [],
      listens: [],
      isTemporary: false,
      copiesIn: undefined,
    },
    ...{ mayCopy: false, actions: new Map<number, never>(), statements: 1, defines: undefined },
  };
  if (!SUSPECT.test(sql)) return none;
  const statements = statementsOf(sql);
  const edits: Edit[] = [];
  const settings = new Set<string>();
  const reset = new Set<string>();
  const listens: string[] = [];
  const actions = new Map<number, { action: Action; tag: string }>();
  let isUnknown = false;
  for (const [position, statement] of statements.entries()) {
    const name = preparedName(statement);
    if (name !== undefined)
      edits.push({ ...spanOf(name), text: identifier(internal(cut(name.value))) });
    const own = actionOf(statement);
    if (own !== undefined) {
      actions.set(position, own);
      edits.push({ start: statement[0]!.start, end: statement.at(-1)!.end, text: EMPTY });
    }
    for (const each of settingsOf(statement)) {
      if (each === UNKNOWN) isUnknown = true;
      else settings.add(each);
    }
    for (const each of resetOf(statement)) reset.add(each);
    const [first, channel] = statement;
    if (isWord(first, 'listen') && channel !== undefined) listens.push(channel.value);
    refuseHeldCursor(statement);
  }
  const copies = statements.filter(isCopyIn);
  if (copies.length > 0 && statements.length > 1)
    throw error('0A000', 'COPY FROM STDIN must be the only statement of a query');
  return {
    sql: edited(sql, edits),
    settings: [...settings],
    isUnknown,
    reset: reset.has(ALL) ? 'all' : [...reset],
    listens,
    isTemporary: /\btemp/i.test(sql),
    copiesIn: copies.length === 0 ? undefined : formatOf(copies[0]!),
    mayCopy: /\bcopy\b/i.test(sql),
    ...{ actions, statements: statements.length, defines: definedIn(statements) },
  };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const spanOf = ({ start, end }: Token) => ({ start, end });
const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.value);
const isName = (token: Token | undefined): token is Token =>
  token?.kind === 'word' || token?.kind === 'name';
const cut = (name: string): string =>
  Buffer.byteLength(name) <= NAME_BYTES ? name : Buffer.from(name).toString('utf8', 0, NAME_BYTES);

function edited(sql: string, edits: readonly Edit[]): string {
  let result = sql;
  for (const { start, end, text } of [...edits].sort((left, right) => right.start - left.start))
    result = result.slice(0, start) + text + result.slice(end);
  return result;
}

/** The name of a prepared statement in PREPARE, EXECUTE, DEALLOCATE, EXPLAIN EXECUTE and CREATE TABLE … AS EXECUTE. */
function preparedName(statement: Statement): Token | undefined {
  const [first, second, third] = statement;
  const named = (token: Token | undefined) => (isName(token) ? token : undefined);
  if (isWord(first, 'prepare')) return isWord(second, 'transaction') ? undefined : named(second);
  if (isWord(first, 'execute')) return named(second);
  if (isWord(first, 'deallocate')) {
    const name = isWord(second, 'prepare') && third !== undefined ? third : second;
    return isWord(name, 'all') ? undefined : named(name);
  }
  if (!isWord(first, 'explain', 'create')) return undefined;
  const at = statement.findIndex(
    (token, index) =>
      isWord(token, 'execute') && (isWord(first, 'explain') || isWord(statement[index - 1], 'as')),
  );
  return at < 0 ? undefined : named(statement[at + 1]);
}

function actionOf(statement: Statement): { action: Action; tag: string } | undefined {
  const [first, second, third] = statement;
  if (isWord(first, 'deallocate') && isWord(isWord(second, 'prepare') ? third : second, 'all'))
    return { action: { kind: 'deallocate-all' }, tag: 'DEALLOCATE ALL' };
  if (isWord(first, 'discard') && isWord(second, 'all'))
    return { action: { kind: 'discard-all' }, tag: 'DISCARD ALL' };
  if (isWord(first, 'discard') && isWord(second, 'temp', 'temporary'))
    return { action: { kind: 'discard-temporary' }, tag: 'DISCARD TEMP' };
  if (!isWord(first, 'unlisten') || second === undefined) return undefined;
  const channel = second.value === '*' ? undefined : second.value;
  return { action: { kind: 'unlisten', channel }, tag: 'UNLISTEN' };
}

const UNKNOWN = '';
const ALL = '*';
/** The names of settings that have their own syntax. */
const SPECIAL: Readonly<Record<string, string>> = {
  time: 'timezone',
  names: 'client_encoding',
  schema: 'search_path',
  xml: 'xmloption',
};

/** The settings that a statement may change; UNKNOWN if the text does not name them. */
function settingsOf(statement: Statement): string[] {
  const [first] = statement;
  if (isWord(first, 'set')) return settingOfSet(statement.slice(1));
  if (isWord(first, 'reset')) return resetOf(statement).filter((name) => name !== ALL);
  const found: string[] = isWord(first, 'execute') ? [...PQS_SETTINGS] : [];
  for (const [at, token] of statement.entries()) {
    if (isWord(token, 'set_latest', 'set_oldest')) found.push(...PQS_SETTINGS);
    if (isWord(token, 'set_config')) {
      const [argument, next] = statement.slice(at + 2);
      const isLiteral = argument?.kind === 'string' && next?.value === ',';
      found.push(isLiteral ? argument.value.toLowerCase() : UNKNOWN);
    }
  }
  // The body of a block is a string.
  if (isWord(first, 'do') && statement.some(hasSettingInside)) found.push(UNKNOWN);
  return found;
}

/** The names with a dot in new functions that change settings. */
function definedIn(statements: readonly Statement[]): string[] | undefined {
  const bodies = statements
    .filter(([first]) => isWord(first, 'create'))
    .flatMap((statement) => statement.filter(hasSettingInside));
  if (bodies.length === 0) return undefined;
  return bodies.flatMap(
    ({ value }) => value.toLowerCase().match(/[a-z_][\w$]*\.[a-z_][\w$]*/g) ?? [],
  );
}

const hasSettingInside = ({ kind, value }: Token): boolean =>
  kind === 'string' && /\b(?:set|reset|set_config|set_latest|set_oldest)\b/i.test(value);

/** @param rest the tokens after SET */
function settingOfSet(rest: Statement): string[] {
  const [first, second, third] = rest;
  // Ends with its transaction.
  if (isWord(first, 'local', 'transaction', 'constraints')) return [];
  if (isWord(first, 'session')) {
    if (isWord(second, 'authorization')) return ['session_authorization'];
    if (isWord(second, 'characteristics')) return [UNKNOWN];
    if (isName(second) && !isWord(second, 'to') && third !== undefined)
      return settingOfSet(rest.slice(1));
  }
  return [nameOf(rest) ?? UNKNOWN];
}

/** The name of a setting at the start: `name`, `prefix.name` or the special syntax. */
function nameOf(rest: Statement): string | undefined {
  const [first, second, third] = rest;
  if (!isName(first)) return undefined;
  if (second?.value === '.' && isName(third)) return `${first.value}.${third.value}`.toLowerCase();
  const special = first.kind === 'word' ? SPECIAL[first.value] : undefined;
  const isSpecial = special !== undefined && second?.value !== '=' && !isWord(second, 'to');
  return isSpecial ? special : first.value.toLowerCase();
}

/** The settings that return to their values at the start, or ALL. */
function resetOf(statement: Statement): string[] {
  const [first, ...rest] = statement;
  if (isWord(first, 'reset')) {
    if (isWord(rest[0], 'all')) return [ALL];
    if (isWord(rest[0], 'session')) return ['session_authorization'];
    return [nameOf(rest) ?? UNKNOWN].filter((name) => name !== UNKNOWN);
  }
  const isDefault = isWord(first, 'set') && isWord(statement.at(-1), 'default');
  return isDefault ? settingOfSet(rest).filter((name) => name !== UNKNOWN) : [];
}

const isCopyIn = (statement: Statement): boolean => {
  const [first] = statement;
  const from = statement.findIndex((token) => isWord(token, 'from'));
  return isWord(first, 'copy') && from > 0 && isWord(statement[from + 1], 'stdin', 'stdout');
};

const formatOf = (statement: Statement): 'text' | 'binary' => {
  const from = statement.findIndex((token) => isWord(token, 'from'));
  const options = [statement[1]!, ...statement.slice(from)];
  return options.some(({ value }) => value.toLowerCase() === 'binary') ? 'binary' : 'text';
};

function refuseHeldCursor(statement: Statement): void {
  const isHeld = statement.some(
    (token, at) => isWord(token, 'with') && isWord(statement[at + 1], 'hold'),
  );
  if (isWord(statement[0], 'declare') && isHeld)
    throw error(
      '0A000',
      'cursors WITH HOLD are not supported',
      'All connections share one session of the database. Keep the transaction of the cursor open.',
    );
}
