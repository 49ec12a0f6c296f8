// Compiles the validators of one API group ahead of time into one module without imports: a function per request
// body and per answer. Schemas are first rewritten into plain JSON schema of what really travels.
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { transform } from 'esbuild';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const RANGES = {
  int8: [-128, 127],
  int32: [-2147483648, 2147483647],
  int64: [-MAX_SAFE, MAX_SAFE],
};
const DATE_TIME =
  '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?([Zz]|[+-]\\d{2}(:?\\d{2}(:?\\d{2})?)?)$';

/** An OpenAPI schema as JSON schema. Members that may be left out may be null, as both real servers read and write them. */
function rewrite(schema, id) {
  if (schema['x-daml-value']) return {};
  if (schema.$ref) {
    const target = {
      $ref: `${id}#/definitions/${schema.$ref.slice('#/components/schemas/'.length)}`,
    };
    return schema.nullable ? { anyOf: [target, { type: 'null' }] } : target;
  }
  const out = {};
  if (schema.oneOf) out.anyOf = schema.oneOf.map((variant) => rewriteVariant(variant, schema, id));
  if (schema.allOf) out.allOf = schema.allOf.map((part) => rewrite(part, id));
  if (schema.type) out.type = schema.type;
  if (schema.enum) out.enum = schema.enum;
  if (schema.minItems !== undefined && schema.minItems === schema.maxItems) {
    out.minItems = schema.minItems;
    out.maxItems = schema.maxItems;
  }
  const range = schema.type === 'integer' ? RANGES[schema.format] : undefined;
  if (range) [out.minimum, out.maximum] = range;
  if (schema.format === 'date-time') out.pattern = DATE_TIME;
  if (schema.items) out.items = rewrite(schema.items, id);
  if (schema.required?.length) out.required = [...schema.required];
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    out.properties = {};
    for (const [name, member] of Object.entries(schema.properties)) {
      const rewritten = rewrite(member, id);
      out.properties[name] =
        required.has(name) || Object.keys(rewritten).length === 0
          ? rewritten
          : { anyOf: [{ type: 'null' }, rewritten] };
    }
  }
  if (typeof schema.additionalProperties === 'object')
    out.additionalProperties = rewrite(schema.additionalProperties, id);
  if (schema.nullable) return orNull(out);
  return out;
}

/** The same schema, null allowed. */
function orNull(schema) {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [{ type: 'null' }, schema] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  };
}

function rewriteVariant(variant, union, id) {
  const tag = Object.entries(union.discriminator?.mapping ?? {}).find(
    ([, ref]) => ref === variant.$ref,
  )?.[0];
  const rewritten = rewrite(variant, id);
  if (tag === undefined) return rewritten;
  return {
    allOf: [rewritten, { properties: { [union.discriminator.propertyName]: { enum: [tag] } } }],
  };
}

const isJson = (content) => content.contentType === 'application/json' && content.schema;

/** The module's text. Exported are `requests` and `responses`: functions by operation id (and by status). */
export async function validatorsFile(facts) {
  const ajv = new Ajv({
    strict: false,
    allErrors: false,
    messages: false,
    code: { source: true, esm: true, lines: false },
    inlineRefs: false,
  });
  const id = `canticle:${facts.api}`;
  const definitions = Object.fromEntries(
    Object.entries(facts.schemas).map(([name, schema]) => [name, rewrite(schema, id)]),
  );
  ajv.addSchema({ $id: id, definitions });

  const exports = {};
  const names = new Map();
  // Operations that take or answer the same message share one function.
  const validatorFor = (schema) => {
    const rewritten = rewrite(schema, id);
    const text = JSON.stringify(rewritten);
    if (!names.has(text)) {
      const name = `v${names.size}`;
      names.set(text, name);
      ajv.addSchema({ ...rewritten, $id: name });
      exports[name] = name;
    }
    return names.get(text);
  };
  const requests = [];
  const responses = [];
  for (const operation of facts.operations) {
    const quoted = JSON.stringify(operation.operationId);
    if (operation.request && isJson(operation.request))
      requests.push(`  ${quoted}: ${validatorFor(operation.request.schema)},`);
    const byStatus = Object.entries(operation.responses).filter(([, content]) => isJson(content));
    if (byStatus.length > 0)
      responses.push(
        `  ${quoted}: { ${byStatus.map(([status, c]) => `${JSON.stringify(status)}: ${validatorFor(c.schema)}`).join(', ')} },`,
      );
  }
  const code = standaloneCode(ajv, exports)
    .replace(/^"use strict";/, '')
    .replace(/\bexport const (v\d+) =/g, 'const $1 =');
  if (/\brequire\(/.test(code)) {
    throw new Error(
      `Failed to compile the validators of ${facts.api}: the code asks for a module at run time.`,
    );
  }
  const tables = `export const requests = {\n${requests.join('\n')}\n};\nexport const responses = {\n${responses.join('\n')}\n};\n`;
  // The compiler leaves every schema in its output although nothing reads them; shaking them out halves the module.
  const shaken = await transform(code + '\n' + tables, {
    format: 'esm',
    treeShaking: true,
    minifyWhitespace: true,
    charset: 'utf8',
  });
  return `// @ts-nocheck\n// Generated by scripts/generate.mjs from src/spec; not committed.\n${shaken.code}`;
}
