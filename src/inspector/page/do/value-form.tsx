/** Fields for a value of any Daml type. The value is JSON as the Ledger API reads it. */
import { useLoaded } from '../state/live.js';
import { visible } from '../parts/format.js';
import {
  definitionOf,
  parseType,
  substituted,
  type DamlType,
  type Definition,
} from './daml-type.js';
import {
  Add,
  Chosen,
  JsonField,
  Remove,
  ScalarField,
  TextField,
  useFirst,
  type FormProps,
  type Update,
} from './plain-fields.js';

/** The depth limit of the form: deeper values are JSON. */
const DEEPEST = 12;

export function ValueForm(props: FormProps) {
  const { type, depth = 0 } = props;
  if (depth > DEEPEST) return <JsonField {...props} />;
  switch (type.kind) {
    case 'scalar':
      return <ScalarField {...props} name={type.name} />;
    case 'contractId':
      return <TextField {...props} hint="00…, the id of a contract" isMono />;
    case 'optional':
      return <OptionalField {...props} of={type.of} />;
    case 'list':
      return <ListField {...props} of={type.of} />;
    case 'textMap':
      return <MapField {...props} of={type.of} />;
    case 'map':
      return <EntriesField {...props} keyType={type.key} of={type.of} />;
    case 'named':
      return <NamedField {...props} name={type.name} args={type.args} />;
  }
}

/** In an Optional of an Optional, a present value is a list. */
function OptionalField({ of, ...props }: FormProps & { of: DamlType }) {
  const { value, update, label, depth = 0 } = props;
  const isNested = of.kind === 'optional';
  const none = isNested ? [] : null;
  useFirst(props, none);
  const inner = isNested ? (value as unknown[] | undefined)?.[0] : value;
  const isThere = isNested ? Array.isArray(value) && value.length > 0 : value != null;
  const change: Update = (next) =>
    update((last) => (isNested ? [next((last as unknown[])[0])] : next(last)));
  return (
    <span class="optional">
      <label class="check">
        <input
          type="checkbox"
          aria-label={`${label}: there is one`}
          checked={isThere}
          onChange={({ currentTarget: { checked } }) =>
            update(() => (checked ? (isNested ? [firstOf(of)] : firstOf(of)) : none))
          }
        />
        {!isThere && <span class="faint">none</span>}
      </label>
      {isThere && (
        <ValueForm {...props} type={of} value={inner} update={change} depth={depth + 1} />
      )}
    </span>
  );
}

/** Shows that the value exists; its own fields contain the rest. */
const firstOf = ({ kind }: DamlType): unknown =>
  kind === 'list' || kind === 'map' || kind === 'optional'
    ? []
    : kind === 'named' || kind === 'textMap'
      ? {}
      : '';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const without = (list: readonly unknown[], place: number) => list.filter((_, at) => at !== place);

/** Changes one element of a list. */
const within =
  (update: Update, place: number): Update =>
  (change) =>
    update((last) => listOf(last).map((each, at) => (at === place ? change(each) : each)));

function ListField({ of, ...props }: FormProps & { of: DamlType }) {
  const { value, update, label, depth = 0 } = props;
  useFirst(props, []);
  return (
    <div class="items">
      {listOf(value).map((item, index) => (
        <div key={index} class="item">
          <ValueForm
            {...props}
            type={of}
            label={`${label} ${index}`}
            value={item}
            update={within(update, index)}
            depth={depth + 1}
          />
          <Remove
            label={`${label} ${index}`}
            onClick={() => update((last) => without(listOf(last), index))}
          />
        </div>
      ))}
      <Add label={label} onClick={() => update((last) => [...listOf(last), undefined])} />
    </div>
  );
}

/** A list of pairs. */
function EntriesField({ keyType, of, ...props }: FormProps & { keyType: DamlType; of: DamlType }) {
  const { value, update, label, depth = 0 } = props;
  useFirst(props, []);
  return (
    <div class="items">
      {listOf(value).map((pair, index) => (
        <div key={index} class="item">
          {[keyType, of].map((type, side) => (
            <ValueForm
              key={side}
              {...props}
              type={type}
              label={`${label} ${side === 0 ? 'key' : 'value'} ${index}`}
              value={listOf(pair)[side]}
              update={within(within(update, index), side)}
              depth={depth + 1}
            />
          ))}
          <Remove
            label={`${label} ${index}`}
            onClick={() => update((last) => without(listOf(last), index))}
          />
        </div>
      ))}
      <Add
        label={label}
        onClick={() => update((last) => [...listOf(last), [undefined, undefined]])}
      />
    </div>
  );
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries((value ?? {}) as Record<string, unknown>);

function MapField({ of, ...props }: FormProps & { of: DamlType }) {
  const { value, update, label, depth = 0 } = props;
  useFirst(props, {});
  const put = (
    place: number,
    entry: (last: readonly [string, unknown]) => readonly [string, unknown],
  ) =>
    update((last) =>
      Object.fromEntries(entriesOf(last).map((each, at) => (at === place ? entry(each) : each))),
    );
  return (
    <div class="items">
      {entriesOf(value).map(([key, each], index) => (
        <div key={index} class="item">
          <input
            aria-label={`${label} key ${index}`}
            value={key}
            placeholder="key"
            onInput={({ currentTarget }) => {
              const text = currentTarget.value;
              put(index, ([, unchanged]) => [text, unchanged]);
            }}
          />
          <ValueForm
            {...props}
            type={of}
            label={`${label} value ${index}`}
            value={each}
            update={(change) => put(index, ([name, last]) => [name, change(last)])}
            depth={depth + 1}
          />
          <Remove
            label={`${label} ${index}`}
            onClick={() =>
              update((last) => Object.fromEntries(entriesOf(last).filter((_, at) => at !== index)))
            }
          />
        </div>
      ))}
      <Add
        label={label}
        onClick={() => update((last) => ({ ...(last as object), '': undefined }))}
      />
    </div>
  );
}

function NamedField({
  name,
  args,
  ...props
}: FormProps & { name: string; args: readonly DamlType[] }) {
  const { scope } = props;
  const key = `${scope.packageId} ${scope.module} ${name}`;
  const loaded = useLoaded(key, () => definitionOf(name, scope), false);
  if (loaded.isLoading) return <span class="faint">…</span>;
  const definition = loaded.value;
  if (definition === undefined) return <JsonField {...props} />;
  if (definition.kind === 'record')
    return <Fields {...props} definition={definition} args={args} />;
  if (definition.kind === 'enum') return <EnumField {...props} definition={definition} />;
  return <VariantField {...props} definition={definition} args={args} />;
}

type Defined = FormProps & { readonly definition: Definition; readonly args: readonly DamlType[] };

function Fields({ definition: { fields, params, scope }, args, ...props }: Defined) {
  const { value, update, label, depth = 0 } = props;
  useFirst(props, {});
  return (
    <div class="form-fields">
      {fields.map(({ name, type }) => (
        <div key={name} class="form-row">
          <span class="form-name">
            {visible(name)} <span class="faint mono">{visible(type ?? '')}</span>
          </span>
          <ValueForm
            type={substituted(parseType(type ?? '()'), params, args)}
            scope={scope}
            label={label === '' ? name : `${label} ${name}`}
            value={(value as Record<string, unknown> | undefined)?.[name]}
            update={(change) =>
              update((last) => {
                const all = (last ?? {}) as Record<string, unknown>;
                return { ...all, [name]: change(all[name]) };
              })
            }
            depth={depth + 1}
          />
        </div>
      ))}
    </div>
  );
}

function EnumField({ definition, ...props }: FormProps & { definition: Definition }) {
  const names = definition.fields.map(({ name }) => name);
  useFirst(props, names[0]);
  return (
    <Chosen
      {...props}
      names={names}
      chosen={props.value}
      choose={(name) => props.update(() => name)}
    />
  );
}

function VariantField({ definition, args, ...props }: Defined) {
  const { value, update, label, depth = 0 } = props;
  const { fields, params, scope } = definition;
  const { tag, value: carried } = (value ?? {}) as { tag?: string; value?: unknown };
  const field = fields.find(({ name }) => name === tag) ?? fields[0];
  useFirst(props, { tag: field?.name });
  return (
    <div class="variant">
      <Chosen
        {...props}
        names={fields.map(({ name }) => name)}
        chosen={field?.name}
        choose={(name) => update(() => ({ tag: name }))}
      />
      {field !== undefined && (
        <ValueForm
          key={field.name}
          type={substituted(parseType(field.type ?? '()'), params, args)}
          scope={scope}
          label={`${label} ${field.name}`}
          value={carried}
          update={(change) =>
            update((last) => ({
              tag: field.name,
              value: change((last as { value?: unknown } | undefined)?.value),
            }))
          }
          depth={depth + 1}
        />
      )}
    </div>
  );
}
