/** JSON with one line for each part at a depth, so that a new release gives a readable diff. */
export function factsText(value, lineDepth, depth = 0) {
  if (depth === lineDepth || typeof value !== 'object') return JSON.stringify(value);
  const indent = '  '.repeat(depth + 1);
  const items = Array.isArray(value)
    ? value.map((item) => indent + factsText(item, 0))
    : Object.entries(value).map(
        ([name, item]) =>
          `${indent}${JSON.stringify(name)}: ${factsText(item, lineDepth, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${'  '.repeat(depth)}${close}${depth === 0 ? '\n' : ''}`;
}

/** A document, as YAML or JSON. YAML includes JSON, but its parser takes longer. */
export function parsedDocument(text, parseYaml) {
  return text.trimStart().startsWith('{') ? JSON.parse(text) : parseYaml(text);
}

/** The operations of a document. The ids that another service of its group has get the suffix. */
export function distinctRows(rows, others, suffix) {
  const taken = new Set(
    others.flatMap(({ operations = [] }) => operations.map(({ operationId }) => operationId)),
  );
  return rows.map((row) =>
    taken.has(row.operationId) ? { ...row, operationId: row.operationId + suffix } : row,
  );
}
