/** The flags of options, made from the rows of src/options, and the options that they give. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { STARTED } from '../../options/canticle.js';
import {
  described,
  flagsOf,
  rowOf,
  rowsIn,
  type CommandName,
  type Flag,
  type Kind,
  type Row,
  type Rows,
} from '../../options/row.js';
import { authService } from './auth-service.js';
import { fileText, parsed } from './flag-values.js';
import { CommandFailed } from '../terminal.js';

/** A flag, and the path of the option that it sets, such as `['tls', 'cert']`. */
interface FlagAt {
  readonly path: readonly string[];
  readonly row: Row;
  readonly flag: Flag;
}

/** In a path: each element of a list. */
const EACH = '*';

function flagsAt(
  command: CommandName,
  rows: Rows | undefined,
  above: readonly string[] = [],
): FlagAt[] {
  return rowsIn(rows).flatMap(([name, row]) => {
    const path = [...above, name];
    const own = flagsOf(row).filter(({ of }) => of.includes(command));
    return [
      ...own.map((flag) => ({ path, row, flag })),
      ...flagsAt(command, row.kind.rows, path),
      ...flagsAt(command, row.kind.each?.rows, [...path, EACH]),
    ];
  });
}

/** @param rows of the options that the command takes */
export function addOptionFlags(command: Command, name: CommandName, rows: Rows = STARTED): Command {
  for (const { row, flag } of flagsAt(name, rows)) {
    const option = new Option(flag.name, docOf(row, flag, name));
    if (option.required) addParser(option, row, flag);
    if (flag.conflicts !== undefined) option.conflicts(flag.conflicts);
    command.addOption(option);
    if (flag.no !== undefined)
      command.addOption(new Option(flag.name.replace(/^--/, '--no-'), flag.no));
  }
  return command;
}

function docOf(row: Row, { doc }: Flag, command: CommandName): string {
  const text = (typeof doc === 'object' ? doc[command] : doc) ?? described(row);
  const { each, named } = row.kind;
  return each === undefined && named === undefined ? text : `${text}; repeatable`;
}

function addParser(option: Option, { kind }: Row, { takes }: Flag): void {
  const { each, named, values } = kind;
  if (values !== undefined) option.choices(values.map(String));
  if (takes === 'content') option.argParser(fileText);
  else if (named !== undefined) option.argParser(oneNamed(named));
  else if (each === undefined) option.argParser(parsed(kind));
  else {
    // Like Canton, one flag may also hold several with commas between them.
    const read = takes === 'service' ? oneService : several(parsed(each));
    option.argParser<readonly unknown[]>((text, previous = []) => [...previous, ...read(text)]);
  }
}

/** Reads `name=value`. */
function oneNamed(kind: Kind) {
  return (text: string, previous: Given = {}): Given => {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new InvalidArgumentError(`Expected a name, '=', and ${kind.words}.`);
    return { ...previous, [name]: parsed(kind)(value) };
  };
}

const oneService = (text: string): readonly unknown[] => [authService(text)];
const several = (read: (text: string) => unknown) => (text: string) =>
  text
    .split(',')
    .filter((each) => each !== '')
    .map((each) => read(each));

type Given = Record<string, unknown>;

/**
 * The options that flags give, and no others.
 * @param flags the options that commander parsed for a command of {@link addOptionFlags}
 * @throws CommandFailed for a flag that needs another one
 */
export function optionsGiven(flags: object, name: CommandName, rows: Rows = STARTED): Given {
  const options: Given = {};
  const given = flagsAt(name, rows).flatMap((at) => {
    const value = (flags as Given)[new Option(at.flag.name).attributeName()];
    return value === undefined ? [] : [{ ...at, value: at.flag.value ?? value }];
  });
  // Flags of each element of a list come after the list.
  const isOfEach = ({ path }: FlagAt): boolean => path.includes(EACH);
  for (const at of given.sort((one, other) => Number(isOfEach(one)) - Number(isOfEach(other))))
    put(options, at.path, at.value, () => needs(at, name, rows));
  for (const at of given) requireOthers(options, at, name, rows);
  return options;
}

function put(at: Given, path: readonly string[], value: unknown, absent: () => never): void {
  const [first = '', second, ...rest] = path;
  if (second === undefined) at[first] = value;
  else if (second === EACH) {
    const list = at[first] as readonly Given[] | undefined;
    at[first] = (list ?? absent()).map((each) => {
      put(each, rest, value, absent);
      return each;
    });
  } else {
    // A flag of a member says more than the flag that only turns the option on.
    if (typeof at[first] !== 'object') at[first] = {};
    put(at[first] as Given, [second, ...rest], value, absent);
  }
}

/** Requires the other members that an object must have. */
function requireOthers(options: Given, at: FlagAt, name: CommandName, rows: Rows): void {
  const [first = '', second] = at.path;
  const required = second === undefined ? [] : (rowOf(rows[first]!).kind.required ?? []);
  if (required.some((member) => (options[first] as Given)[member] === undefined))
    needs(at, name, rows);
}

/** @throws CommandFailed that names the flags that another one needs */
function needs({ path: [first = ''], flag }: FlagAt, name: CommandName, rows: Rows): never {
  const { required = [] } = rowOf(rows[first]!).kind;
  const others = flagsAt(name, rows)
    .filter(({ path }) => path.length === 2 && path[0] === first && required.includes(path[1]!))
    .map((each) => longOf(each.flag))
    .filter((each) => each !== longOf(flag));
  throw new CommandFailed(`${longOf(flag)} needs ${others.join(' and ')}.`);
}

const longOf = ({ name }: Flag): string => name.replace(/ .*/, '');
