/** Errors for unexpected responses of a running program. */
import { HttpSide, type SideOptions } from '../client/http-side.js';
import { CommandFailed } from './terminal.js';

/**
 * Calls the controls of a running sandbox.
 * @param path after `/canticle/v1/`
 * @param read gets the client and the full path
 * @throws CommandFailed if no program answers
 */
export async function fromControls<T>(
  url: string,
  path: string,
  options: SideOptions,
  read: (side: HttpSide, target: string) => Promise<T>,
): Promise<T> {
  const side = new HttpSide(url, options);
  const target = `/canticle/v1/${path}`;
  try {
    return await read(side, target);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `failed to call ${side.base}${target}: ${(error as Error).message}. Check that a sandbox runs there, or pass its --url.`,
    );
  }
}

/**
 * @param what the sender, such as its URL @param use reads the response, and throws if it has another form
 * @throws CommandFailed for every other error
 */
export function usingAnswer<T>(what: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const why = (error as Error).message;
    throw new CommandFailed(
      `${what} sent a response that is not from Canticle (${why}). Check that a sandbox runs there, or pass its --url.`,
      { cause: error },
    );
  }
}
