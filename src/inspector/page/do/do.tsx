/**
 * Creates a contract or exercises a choice as any party, as a dry run or for real, with a form that follows the
 * type.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ContractLife, InspectedPackage } from '../../../spec/generated/control.js';
import { Answer, Panel, Select } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { ContractId } from '../parts/ids.js';
import { packageOf } from '../packages/load.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, hrefHere, replaceWith, useRoute } from '../state/route.js';
import { usePackages, useTopology } from '../state/world.js';
import { choicesOf, type Target } from './targets.js';
import { Run } from './run.js';
import { parseType } from './daml-type.js';
import type { Update } from './plain-fields.js';
import { ValueForm } from './value-form.js';

export function Do() {
  const route = useRoute();
  const { contract } = route.query;
  const { parties } = useTopology();
  return (
    <div class="view do-view">
      <div class="bar">
        <h1>Do</h1>
        <label class="field">
          <span>On contract</span>
          <input
            class="mono"
            value={contract ?? ''}
            placeholder="none: create one"
            spellcheck={false}
            onChange={({ currentTarget: { value } }) =>
              replaceWith(hrefHere({ contract: value.trim(), choice: undefined }))
            }
          />
        </label>
        {!contract && <TemplateChoice />}
      </div>
      <datalist id="parties">
        {parties.map(({ party }) => (
          <option key={party} value={party} />
        ))}
      </datalist>
      {contract ? <OnContract id={contract} /> : <OnTemplate />}
    </div>
  );
}

/** The targets in the newest version of each package. */
function TemplateChoice() {
  const { query } = useRoute();
  const packages = usePackages().filter(({ templates }) => templates > 0);
  const chosen = query['package'] ?? packages[0]?.id;
  const loaded = useLoaded(chosen, () => packageOf(chosen!), false);
  const names = loaded.value ? templatesIn(loaded.value) : [];
  return (
    <>
      <Select
        label="Package"
        value={chosen ?? ''}
        choices={packages.map(({ id, name, version }) => ({
          value: id,
          label: `${visible(name)} ${version}`,
        }))}
        onChange={(value) => replaceWith(hrefHere({ package: value, template: undefined }))}
      />
      <Select
        label="Template"
        value={query['template'] ?? names[0] ?? ''}
        choices={names.map((name) => ({ value: name, label: visible(name) }))}
        onChange={(value) => replaceWith(hrefHere({ package: chosen, template: value }))}
      />
    </>
  );
}

const templatesIn = ({ modules }: InspectedPackage): string[] =>
  modules.flatMap(({ name, templates }) => templates.map((each) => `${name}:${each.name}`));

function OnTemplate() {
  const { query } = useRoute();
  const packages = usePackages().filter(({ templates }) => templates > 0);
  const id = query['package'] ?? packages[0]?.id;
  const loaded = useLoaded(id, () => packageOf(id!), false);
  return (
    <Answer loaded={loaded}>
      {(found) => {
        const name = query['template'] ?? templatesIn(found)[0];
        const [module = '', entity = ''] = (name ?? '').split(':');
        if (entity === '') return null;
        const target: Target = {
          kind: 'create',
          templateId: `#${found.name}:${module}:${entity}`,
          scope: { packageId: found.id, module },
          type: `${module}:${entity}`,
        };
        return <Form key={`${found.id} ${name}`} target={target} first={[]} />;
      }}
    </Answer>
  );
}

function OnContract({ id }: { id: string }) {
  const { query } = useRoute();
  const loaded = useLoaded(
    id,
    async (signal) => {
      const life = await fetchJson<ContractLife>(
        `inspection/contracts/${encodeURIComponent(id)}`,
        {},
        signal,
      );
      return { life, choices: await choicesOf(life) };
    },
    false,
  );
  return (
    <Answer loaded={loaded}>
      {({ life, choices }) => {
        const target = choices.find(({ key }) => key === query['choice']) ?? choices[0];
        if (target === undefined) return null;
        return (
          <>
            <div class="bar">
              <ContractId id={id} />
              <Select
                label="Choice"
                value={target.key}
                choices={choices.map(({ key, choice, by }) => ({
                  value: key,
                  label: `${visible(choice)}${by === undefined ? '' : ` (${visible(by)})`}`,
                }))}
                onChange={(value) => replaceWith(hrefHere({ choice: value }))}
              />
            </div>
            <Form key={`${id} ${target.key}`} target={target} first={life.contract.signatories} />
          </>
        );
      }}
    </Answer>
  );
}

/** @param first the default acting parties */
function Form({ target, first }: { target: Target; first: readonly string[] }) {
  const route = useRoute();
  const eyes = eyesOf(route);
  const named =
    route.query['by'] ?? (eyes !== undefined && 'party' in eyes ? eyes.party : undefined);
  const [actAs, setActAs] = useState<readonly string[]>(named === undefined ? first : [named]);
  const [readAs, setReadAs] = useState<readonly string[]>([]);
  const [disclosed, setDisclosed] = useState<readonly string[]>([]);
  const [value, setValue] = useState<unknown>(undefined);
  const update: Update = (change) => setValue(change);
  return (
    <div class="columns two do-columns">
      <div>
        <Panel title="Who">
          <Names label="Acting" list="parties" values={actAs} onChange={setActAs} />
          <Names label="Reading too" list="parties" values={readAs} onChange={setReadAs} />
          <Names
            label="Disclosed"
            hint="the id of a contract"
            values={disclosed}
            onChange={setDisclosed}
          />
        </Panel>
        <Panel
          title={
            target.kind === 'create'
              ? `create ${visible(target.templateId)}`
              : visible(target.choice)
          }
          kind="form"
        >
          <ValueForm
            type={parseType(target.type)}
            scope={target.scope}
            value={value}
            update={update}
            label=""
          />
        </Panel>
      </div>
      <Run submission={{ target, value: value ?? {}, actAs, readAs, disclosed }} />
    </div>
  );
}

/** Several names, one per line. */
function Names({
  label,
  values,
  onChange,
  list,
  hint = '',
}: {
  label: string;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  list?: string;
  hint?: string;
}) {
  const [text, setText] = useState('');
  useEffect(() => setText(''), [values.length]);
  const add = () => {
    const name = text.trim();
    if (name !== '' && !values.includes(name)) onChange([...values, name]);
    else setText('');
  };
  return (
    <div class="form-row">
      <span class="form-name">
        {label}{' '}
        <span class="faint">{values.length > 1 && plural(values.length, 'party', 'parties')}</span>
      </span>
      <div class="items">
        {values.map((name) => (
          <div key={name} class="item">
            <bdi class="mono short" title={name}>
              {visible(name)}
            </bdi>
            <button
              type="button"
              class="small quiet"
              aria-label={`Remove ${name}`}
              onClick={() => onChange(values.filter((each) => each !== name))}
            >
              ×
            </button>
          </div>
        ))}
        <input
          class="mono"
          aria-label={label}
          list={list}
          value={text}
          placeholder={hint || 'a party'}
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onChange={add}
        />
      </div>
    </div>
  );
}
