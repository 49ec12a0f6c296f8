/** Sentences with ids: these are shortened, and link to their objects. */
import { ContractId, Party } from './ids.js';
import { Text } from './text.js';

const IDS = /(\b00[0-9a-f]{64,}\b|[^\s:'"]{1,185}::1220[0-9a-f]{64})/;

export function Prose({ text }: { text: string }) {
  // Longer than any explanation. Longer texts are not sentences.
  if (text.length > 20_000) return <Text text={text} most={600} />;
  return (
    <span>
      {text
        .split(IDS)
        .map((part, index) =>
          index % 2 === 0 ? (
            <Text key={index} text={part} most={600} />
          ) : part.includes('::') ? (
            <Party key={index} party={part} plain />
          ) : (
            <ContractId key={index} id={part} />
          ),
        )}
    </span>
  );
}
