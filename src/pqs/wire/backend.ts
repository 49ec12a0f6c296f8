/** The session of the database during the turn of one connection. */
import { isError } from '../../daml/errors/realms.js';
import type { LocalSession } from '../store.js';
import { error, fatal, type SqlErrorFields } from './errors.js';
import {
  errorResponse,
  fieldsOf,
  literal,
  message,
  messagesOf,
  query,
  rowsOf,
  type Message,
} from './messages.js';

/** Sends messages to the back end, and returns its answers. */
export class Backend {
  /** The status of its last ReadyForQuery: I, T or E. */
  status = 'I';

  constructor(readonly session: LocalSession) {}

  /** @throws FatalSqlError if the back end stopped */
  async send(...messages: readonly Uint8Array[]): Promise<Message[]> {
    const bytes = await this.session
      .execProtocolRaw(messages.length === 1 ? messages[0]! : Buffer.concat(messages))
      .catch(stopped);
    const answers = messagesOf(bytes);
    for (const { type, body } of answers) if (type === 'Z') this.status = body.toString('latin1');
    return answers;
  }

  /** As `send`, for messages that always end with a ReadyForQuery. */
  async sendToEnd(...messages: readonly Uint8Array[]): Promise<Message[]> {
    const answers = await this.send(...messages);
    return answers.some(({ type }) => type === 'Z') ? answers : stopped();
  }

  /** Runs a statement of the port. @returns its rows @throws SqlError */
  async run(sql: string): Promise<(string | null)[][]> {
    const answers = await this.sendToEnd(query(sql));
    const failure = answers.find(({ type }) => type === 'E');
    if (failure !== undefined) throw errorOf(failure);
    return rowsOf(answers);
  }

  /**
   * Raises an error in the database, so that it has the same effect as one of a statement: the transaction fails.
   * @returns the ErrorResponse
   */
  async raise(fields: SqlErrorFields): Promise<Message> {
    const hint = fields.hint === undefined ? '' : `, hint = ${literal(fields.hint)}`;
    const body = `begin raise exception using errcode = ${literal(fields.code)}, message = ${literal(fields.message)}${hint}; end`;
    await this.sendToEnd(query(`do ${literal(body)}`));
    const [answer] = messagesOf(errorResponse(error(fields.code, fields.message, fields.hint)));
    return answer!;
  }

  /** Ends the transaction, if there is one, and an extended query without a Sync. */
  async reset(): Promise<void> {
    await this.sendToEnd(message('S'));
    if (this.status !== 'I') await this.run('rollback');
  }
}

/** The error of an ErrorResponse. */
function errorOf({ body }: Message) {
  const { C: code = 'XX000', M: says = '', H: hint, D: detail } = fieldsOf(body);
  return error(code, detail === undefined ? says : `${says} (${detail})`, hint);
}

function stopped(cause?: unknown): never {
  const reason = isError(cause) ? `: ${cause.message}` : '';
  throw fatal(
    '57P02',
    `the database in this process stopped${reason}`,
    'A statement used more memory than WebAssembly has. Start Canticle again, or use a server: --pqs postgres://….',
  );
}
