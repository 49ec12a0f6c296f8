/** The files of `fixtures/messages`, which the package contains next to the build. Each is read on first use. */
import { readFileSync } from 'node:fs';
import type { MessageFixture, ReadFixture } from '../spec/message-fixture.js';

/** Relative to the build, and to this file. */
const FOLDER = '../../fixtures/messages/';

const texts = new Map<string, string | undefined>();

/** Returns a new copy for each caller. */
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
    // The file does not exist: the OpenAPI documents then have no examples.
    return undefined;
  }
}
