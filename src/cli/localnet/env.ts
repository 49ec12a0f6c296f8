/** `canticle env`: prints the variables of a running LocalNet for a shell, a `.env` file, a GitHub job or a program. */
import { appendFileSync } from 'node:fs';
import { environmentOf, isSecret, type Environment } from '../../assembly/localnet/environment.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { factsOf, whereaboutsOf } from './find-localnet.js';
import { AUTHORITY, authorityOf, credentialsOf, type EnvFlags } from './where-flags.js';

/** @param flags the options that commander parsed for a command made by `addEnvFlags` */
export async function showEnvironment(flags: unknown, { stdout }: Terminal): Promise<void> {
  const { format, node, ...where } = flags as EnvFlags;
  const found = await whereaboutsOf(where, credentialsOf(where));
  const authority = found.scheme === 'https' ? authorityOf(where) : undefined;
  const facts = { ...(await factsOf(found)), authority };
  const main = facts.nodes.find(({ name }) => name === node);
  if (main === undefined)
    throw new CommandFailed(
      `no node is called '${node}'. Use --node with one of ${facts.nodes.map(({ name }) => name).join(', ')}.`,
    );
  const environment = environmentOf(facts, main);
  if (format === 'github') stdout.write(exported(environment, process.env['GITHUB_ENV']));
  else stdout.write(printed(environment, format));
}

/** Values are URLs, ids and tokens, partly from the program at these ports. It prints no value with other characters, for safety. */
function printed(environment: Environment, format: Exclude<EnvFlags['format'], 'github'>): string {
  for (const [name, value] of Object.entries(environment)) {
    if (name === AUTHORITY && !PATH.test(value))
      throw new CommandFailed(
        `the path '${value}' of the authority contains characters that would need quotes in a shell or in a .env file. Use another path.`,
      );
    if (name !== AUTHORITY && !PLAIN.test(value))
      throw new CommandFailed(
        `the service returned an unexpected value for ${name}. Is it a LocalNet? Value: ${value.slice(0, 60)}`,
      );
  }
  if (format === 'json') return `${JSON.stringify(environment, undefined, 2)}\n`;
  const lines = Object.entries(environment).map(([name, value]) =>
    format === 'shell' ? `export ${name}='${value}'` : `${name}=${value}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Excludes quotes, white space, and characters that a shell expands. */
const PLAIN = /^[\w:/.,=@%+~?&#-]*$/;
/** The path of a file, with letters of any language and with spaces inside. */
const PATH = /^[\p{L}\p{N}_:/\\.,=@%+~()-]+(?: +[\p{L}\p{N}_:/\\.,=@%+~()-]+)*$/u;

/** Appends them to the job's file. @returns lines that mask the secrets in the log of the job */
function exported(environment: Environment, file: string | undefined): string {
  if (!file)
    throw new CommandFailed(
      'GITHUB_ENV is not set: `--format github` works only in a step of a GitHub Actions job. In other places, use --format shell or dotenv.',
    );
  appendFileSync(file, printed(environment, 'dotenv'));
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    isSecret(name) ? [value] : [],
  );
  return [...new Set(secrets)].map((secret) => `::add-mask::${secret}\n`).join('');
}
