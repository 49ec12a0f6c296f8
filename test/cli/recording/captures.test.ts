/**
 * Answers of real systems in public repositories fit their schemas. The recordings are not redistributable: the test reads HAR files
 * from CANTICLE_CAPTURES, or `~/.canticle/captures`. Without them the test is skipped.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

type Json = any;

const captures = process.env['CANTICLE_CAPTURES'] ?? join(homedir(), '.canticle', 'captures');
const files = existsSync(captures)
  ? readdirSync(captures).filter((name) => name.endsWith('.har'))
  : [];
const folder = useTemporaryFolder();

/** Members that participants before 3.4 did not have yet. */
function withLater(json: Json): Json {
  if (Array.isArray(json)) return json.map(withLater);
  if (typeof json !== 'object' || json === null) return json;
  const all: Json = Object.fromEntries(
    Object.entries(json).map(([name, each]) => [name, withLater(each)]),
  );
  if ('contractId' in all && 'createArgument' in all)
    return { acsDelta: true, representativePackageId: all.templateId.split(':')[0], ...all };
  return 'contractId' in all && 'choiceArgument' in all ? { acsDelta: true, ...all } : all;
}

if (files.length === 0)
  it.skip('finds no differences in captures of real systems (needs captures: *.har)', () =>
    undefined);
else
  it.each(files)('finds no differences in the capture %s', async (name) => {
    const har = JSON.parse(readFileSync(join(captures, name), 'utf8'));
    for (const { response } of har.log.entries) {
      const { content } = response;
      content.text = JSON.stringify(withLater(JSON.parse(content.text)));
    }
    const file = join(folder(), basename(name));
    writeFileSync(file, JSON.stringify(har));
    const [report] = JSON.parse((await runHere('verify', file, '--json')).stdout) as Json[];
    const { exchanges, operations } = report;
    expect(exchanges).toBe(har.log.entries.length);
    expect(operations.filter(({ operation }: Json) => /^[A-Z]/.test(operation))).toEqual([]);
    expect(operations.flatMap(({ unfitting }: Json) => unfitting)).toEqual([]);
  });
