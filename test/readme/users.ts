/** Which users a text names, and which of them a network has: those of a fresh one, and those that the text creates. */

const QUOTE = `["'\`]`;
/** A user id as `value` finds it, unless it is put together when the code runs. */
const literal = (before: string, after = '') =>
  new RegExp(`${before}([^"'\`\${}<>\\s,;|&/)]+)${after}`, 'g');

/** Members of requests, claims of tokens, flags of `curl` and of the command line, paths. */
const named = [
  literal(`\\buser_?[iI]d${QUOTE}?\\s*[:=]\\s*${QUOTE}`, QUOTE),
  literal(`\\b(?:sub|clientId)${QUOTE}?\\s*:\\s*${QUOTE}`, QUOTE),
  literal(`\\bclient_id=`),
  literal(`--user(?:-id)?[ =]`),
  literal(`/v2/users/(?=[\\w-])`),
];

/** `POST /v2/users`, the SDK's `user.create`, scenarios in YAML and as a builder, and the sandbox's own flag. */
const created = [
  literal(`\\buser${QUOTE}?\\s*[:=]\\s*\\{\\s*${QUOTE}?id${QUOTE}?\\s*:\\s*${QUOTE}`, QUOTE),
  literal(`\\buser\\.create\\(\\{\\s*userId:\\s*${QUOTE}`, QUOTE),
  literal(`\\.user\\(${QUOTE}`, QUOTE),
  literal(`[-{]\\s+user:\\s*${QUOTE}?`),
  literal(`--additional-admin-user[ =]`),
];

const all = (patterns: readonly RegExp[], text: string) =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, id]) => id!));

/** Users that the text names and that neither a fresh network has nor the text creates. */
export function missingUsers(text: string): string[] {
  const there = new Set(['participant_admin', ...all(created, text)]);
  // An instance of a test has this administrator unless it is bare, and so has a LocalNet.
  if (/\b(?:useCanticle|createCanticle|startCanticle|localnet|Localnet)\b/.test(text))
    if (!/\bbare: true\b/.test(text)) there.add('ledger-api-user');
  return [...new Set(all(named, text))].filter((id) => !there.has(id)).sort();
}
