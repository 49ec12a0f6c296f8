/** Lists that a script reads over a Ledger API: what has no end, and what is refused, fails the question. */
import type { ApiAnswer, ApiRequest } from '../../src/client/requests.js';
import { ScriptRefusal } from '../../src/script/failures.js';
import { RemoteApi } from '../../src/script/remote/remote-api.js';
import { RemoteUsers } from '../../src/script/remote/remote-users.js';

const usersOf = (answer: (token: string) => ApiAnswer) =>
  new RemoteUsers(
    new RemoteApi(({ query }: ApiRequest) =>
      Promise.resolve(answer(String(query?.['pageToken'] ?? ''))),
    ),
  ).all();
const page = (id: string, nextPageToken: string): ApiAnswer => ({
  status: 200,
  body: { users: [{ id }], nextPageToken },
});

it('returns the users of all pages', async () => {
  const next: Readonly<Record<string, string>> = { '': 'a', a: 'b', b: '' };
  const users = await usersOf((token) => page(`user-${token}`, next[token]!));
  expect(users.map(({ id }) => id)).toEqual(['user-', 'user-a', 'user-b']);
});

it('fails if a list repeats a page, or is invalid', async () => {
  const repeated = usersOf(() => page('a', 'again'));
  await expect(repeated).rejects.toThrow(ScriptRefusal);
  await expect(repeated).rejects.toThrow('GET /v2/users names a page twice');
  await expect(usersOf(() => ({ status: 502, body: undefined }))).rejects.toThrow(
    new ScriptRefusal('GET /v2/users was answered with 502.'),
  );
  const code = 'PERMISSION_DENIED';
  await expect(usersOf(() => ({ status: 403, body: { code, cause: 'no' } }))).rejects.toMatchObject(
    { code },
  );
});
