/** What a program that runs elsewhere answers, where it is no such answer. */
import { HttpSide, type SideOptions } from '../client/http-side.js';
import { CommandFailed } from './terminal.js';

/**
 * Asks a sandbox that runs, by its controls. @param path behind `/canticle/v1/` @param ask gets the side, and where the path is there
 * @throws CommandFailed where nobody answers
 */
export async function fromControls<T>(
  url: string,
  path: string,
  options: SideOptions,
  ask: (side: HttpSide, target: string) => Promise<T>,
): Promise<T> {
  const side = new HttpSide(url, options);
  const target = `/canticle/v1/${path}`;
  try {
    return await ask(side, target);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `failed to ask ${side.base}${target}: ${(error as Error).message}. Is a sandbox running there? --url says where one is.`,
    );
  }
}

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
