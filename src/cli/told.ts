/** What a program that runs elsewhere answers, where it is no such answer. */
import { CommandFailed } from './terminal.js';

/**
 * @param what answered it, such as its URL @param use reads the answer, and fails in any way where it is another thing
 * @throws CommandFailed in place of every failure that is none
 */
export function usingAnswer<T>(what: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const why = (error as Error).message;
    throw new CommandFailed(
      `${what} answered what no Canticle answers (${why}). Is a sandbox running there? --url says where one is.`,
      { cause: error },
    );
  }
}
