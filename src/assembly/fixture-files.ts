/** The files of `fixtures/messages`, which are shipped beside the build: each is read when it is first asked for. */
import { readFileSync } from 'node:fs';
import type { MessageFixture, ReadFixture } from '../spec/message-fixture.js';

/** From the build, and from here. */
const FOLDER = '../../fixtures/messages/';

const texts = new Map<string, string | undefined>();

/** A copy of its own for each caller. */
export const readFixture: ReadFixture = (api, operationId) => {
  const name = `${api}/${operationId}.json`;
  if (!texts.has(name)) texts.set(name, textOf(name));
  const text = texts.get(name);
  return text === undefined ? undefined : (JSON.parse(text) as MessageFixture);
};

function textOf(name: string): string | undefined {
  try {
    return readFileSync(new URL(FOLDER + name, import.meta.url), 'utf8');
  } catch {
    // There is none: documents then come without examples.
    return undefined;
  }
}
