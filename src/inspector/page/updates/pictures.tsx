/** The pictures of a trace: a sequence diagram, and flame graphs of its steps. The URL selects one. */
import { Panel, Select } from '../parts/frames.js';
import { Picture } from '../parts/picture.js';
import type { Query } from '../state/api.js';
import { hrefHere, replaceWith, useRoute } from '../state/route.js';

const PICTURES = [
  ['sequence', 'Sequence diagram'],
  ['steps', 'Flame graph by nodes'],
  ['functions', 'Flame graph by functions of Daml'],
] as const;

/** @param named the submission, as the controls identify it */
export function Pictures({ named }: { named: Query }) {
  const { of = 'sequence' } = useRoute().query;
  // A submission that is identified by its ids alone has no flame graph by function.
  const known = PICTURES.filter(
    ([name]) => name !== 'functions' || named['submissionId'] === undefined,
  );
  const [name, words] = known.find(([each]) => each === of) ?? known[0]!;
  return (
    <Panel
      kind="inset"
      title={words}
      aside={
        <Select
          label="Picture"
          value={name}
          choices={known.map(([value, label]) => ({ value, label }))}
          onChange={(value) => replaceWith(hrefHere({ of: value }))}
        />
      }
    >
      <Picture query={{ ...named, of: name }} file={name} words={words} />
    </Panel>
  );
}
