/** Messages of failed matchers, for tests of them. */

/** The message of an expectation that must fail. */
export function messageOf(expectation: () => unknown): string {
  try {
    expectation();
  } catch (error) {
    return masked((error as Error).message);
  }
  throw new Error('This expectation holds, and was to fail.');
}

/** The same for one that must be awaited. */
export async function messageOfAsync(expectation: () => unknown): Promise<string> {
  try {
    await expectation();
  } catch (error) {
    return masked((error as Error).message);
  }
  throw new Error('This expectation holds, and was to fail.');
}

/** Digits say nothing to a reader, and change with everything that draws from the seed before. */
const masked = (message: string): string => message.replace(/[0-9a-f]{12,}…?/g, '·');
