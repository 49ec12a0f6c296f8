/** The declarations of a package, module by module, next to the Daml source of the selected module. */
import type { ComponentChildren } from 'preact';
import type {
  InspectedChoice,
  InspectedField,
  InspectedModule,
  InspectedPackage,
  InspectedSource,
} from '../../../spec/generated/control.js';
import { Badge, Empty, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Source } from '../parts/source.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { href, hrefHere, useRoute } from '../state/route.js';
import type { Counts } from './coverage.js';
import { marksIn } from './marks.js';

export function Declared({
  found,
  counts,
}: {
  found: InspectedPackage;
  counts: Counts | undefined;
}) {
  const { query } = useRoute();
  const names = [...new Set([...found.modules.map(({ name }) => name), ...found.sources])].sort();
  const chosen = query['module'] ?? found.modules[0]?.name ?? names[0];
  const module = found.modules.find(({ name }) => name === chosen);
  return (
    <div class="three modules">
      <Panel title="Modules" kind="flush">
        {names.map((name) => (
          <a
            key={name}
            class={name === chosen ? 'tree-row chosen' : 'tree-row'}
            href={hrefHere({ module: name, entity: undefined })}
          >
            {visible(name)}
          </a>
        ))}
      </Panel>
      <Panel title={<span class="mono">{visible(chosen ?? '')}</span>} kind="flush source-panel">
        <ModuleSource found={found} module={module} name={chosen} counts={counts} />
      </Panel>
      <Panel title="Declares">
        {module === undefined ? (
          <Empty>No serializable declarations.</Empty>
        ) : (
          <Declarations
            packageId={found.id}
            packageName={found.name}
            module={module}
            counts={counts}
          />
        )}
      </Panel>
    </div>
  );
}

function ModuleSource({
  found,
  module,
  name,
  counts,
}: {
  found: InspectedPackage;
  module: InspectedModule | undefined;
  name: string | undefined;
  counts: Counts | undefined;
}) {
  const { entity } = useRoute().query;
  const isThere = name !== undefined && found.sources.includes(name);
  const loaded = useLoaded(
    isThere ? `${found.id} ${name}` : undefined,
    (signal) =>
      fetchJson<InspectedSource>(
        `inspection/packages/${found.id}/sources/${encodeURIComponent(name!)}`,
        {},
        signal,
      ),
    false,
  );
  if (!isThere) return <Empty>No uploaded DAR contains its Daml source.</Empty>;
  if (loaded.value === undefined) return <p class="empty loading">…</p>;
  const { text } = loaded.value;
  const { places, marks, notes } = marksIn(text, module, counts);
  const line = entity === undefined ? undefined : places.get(entity);
  return <Source text={text} line={line} notes={notes} {...(counts && { marks })} />;
}

function Declarations({
  packageId,
  packageName,
  module,
  counts,
}: {
  packageId: string;
  packageName: string;
  module: InspectedModule;
  counts: Counts | undefined;
}) {
  const { entity } = useRoute().query;
  const nameOf = (own: string) => `${module.name}:${own}`;
  const used = (key: string) => {
    const count = counts?.get(key);
    return count === undefined ? null : (
      <Badge kind={count > 0 ? 'create' : 'refused'}>{count} ×</Badge>
    );
  };
  return (
    <>
      {module.templates.map((template) => (
        <article key={template.name} class={template.name === entity ? 'card chosen' : 'card'}>
          <header>
            <span class="kind">template</span>
            <a href={hrefHere({ entity: template.name })}>
              <strong>{visible(template.name)}</strong>
            </a>
            {used(nameOf(template.name))}
            <a
              class="faint"
              href={href(['contracts'], { template: `#${packageName}:${nameOf(template.name)}` })}
            >
              contracts
            </a>
            <a
              class="faint"
              href={href(['do'], { package: packageId, template: nameOf(template.name) })}
            >
              create
            </a>
          </header>
          <Fields fields={template.fields} />
          {template.key != null && <p class="mono faint">key {visible(template.key)}</p>}
          {template.implements.map((each) => (
            <p key={each} class="faint">
              implements <span class="mono">{visible(each)}</span>
            </p>
          ))}
          {template.choices.map((choice) => (
            <ChoiceShown
              key={choice.name}
              choice={choice}
              used={used(`${nameOf(template.name)} ${choice.name}`)}
            />
          ))}
        </article>
      ))}
      {module.interfaces.map((each) => (
        <article key={each.name} class={each.name === entity ? 'card chosen' : 'card'}>
          <header>
            <span class="kind">interface</span>
            <a href={hrefHere({ entity: each.name })}>
              <strong>{visible(each.name)}</strong>
            </a>
            <span class="mono faint">view {visible(each.view)}</span>
            <a
              class="faint"
              href={href(['contracts'], { interface: `#${packageName}:${nameOf(each.name)}` })}
            >
              contracts
            </a>
          </header>
          {each.choices.map((choice) => (
            <ChoiceShown key={choice.name} choice={choice} used={null} />
          ))}
        </article>
      ))}
      {module.types.map((type) => (
        <article key={type.name} class="card">
          <header>
            <span class="kind">{type.kind}</span>
            <strong>{visible(type.name)}</strong>{' '}
            <span class="mono">{type.params.map(visible).join(' ')}</span>
          </header>
          <Fields fields={type.fields} />
        </article>
      ))}
    </>
  );
}

function ChoiceShown({ choice, used }: { choice: InspectedChoice; used: ComponentChildren }) {
  const { name, consuming, fields, argument, result } = choice;
  return (
    <div class="choice">
      <span class={`glyph ${consuming ? 'archive' : 'exercise'}`} aria-hidden="true">
        {consuming ? '×' : '→'}
      </span>
      <strong>{visible(name)}</strong> <span class="mono faint">: {visible(result)}</span> {used}
      {fields.length > 0 ? (
        <Fields fields={fields} />
      ) : (
        argument !== name &&
        argument !== '()' && <span class="mono faint"> {visible(argument)}</span>
      )}
    </div>
  );
}

function Fields({ fields }: { fields: readonly InspectedField[] }) {
  return (
    <div class="signature mono">
      {fields.map(({ name, type }) => (
        <div key={name}>
          {visible(name)}
          {type != null && <span class="faint"> : {visible(type)}</span>}
        </div>
      ))}
    </div>
  );
}
