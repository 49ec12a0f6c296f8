/** One package: its declarations next to its Daml source, its coverage, and its differences from another version. */
import type { InspectedPackage } from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Answer, Panel, Select, Tabs } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Id } from '../parts/ids.js';
import { Picture } from '../parts/picture.js';
import { sendJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { href, hrefHere, replaceWith, useRoute } from '../state/route.js';
import { usePackages } from '../state/world.js';
import { Compared } from './compared.js';
import { stopCounting, useCoverage } from './coverage.js';
import { Declared } from './declared.js';
import { packageOf } from './load.js';

const TABS = [
  ['declared', 'Declared'],
  ['versions', 'Versions side by side'],
] as const;
/** Shown while coverage is on. */
const PICTURE = ['picture', 'Choices used, as a picture'] as const;

export function PackagePage({ path: [id = ''] }: { path: readonly string[] }) {
  const loaded = useLoaded(id, () => packageOf(id), false);
  return (
    <div class="view package-view">
      <Answer loaded={loaded}>{(found) => <Shown found={found} />}</Answer>
    </div>
  );
}

function Shown({ found }: { found: InspectedPackage }) {
  const { query } = useRoute();
  const { tab = 'declared' } = query;
  const coverage = useCoverage(found);
  const versions = usePackages().filter(({ name }) => name === found.name);
  const place = versions.findIndex(({ id }) => id === found.id);
  const other = query['with'] ?? (versions[place - 1] ?? versions[place + 1])?.id;
  return (
    <>
      <div class="bar">
        <a class="back" href={href(['packages'])}>
          ← Packages
        </a>
        <h1>
          {visible(found.name)} <span class="faint">{found.version}</span>
        </h1>
        <Id id={found.id} />
        <span class="faint">Daml-LF {found.languageVersion}</span>
      </div>
      <div class="bar">
        <Tabs tabs={coverage.isCounting ? [...TABS, PICTURE] : TABS} chosen={tab} />
        {tab === 'versions' ? (
          <Select
            label="Compare with"
            value={other ?? ''}
            choices={versions
              .filter(({ id }) => id !== found.id)
              .map(({ id, version }) => ({ value: id, label: version }))}
            onChange={(value) => replaceWith(hrefHere({ with: value }))}
          />
        ) : coverage.isCounting ? (
          <>
            <span class="faint">
              {coverage.totals.exercised} of {coverage.totals.choices} choices and{' '}
              {coverage.totals.created} of {coverage.totals.templates} templates used
            </span>
            <Action label="Stop counting" run={stopCounting} />
          </>
        ) : (
          <Action label="Count what is used from now on" run={() => sendJson('POST', 'coverage')} />
        )}
      </div>
      {tab === 'versions' ? (
        <Compared one={found} otherId={other} />
      ) : tab === 'picture' && coverage.isCounting ? (
        <Panel kind="inset" title="Grey was never used">
          <Picture
            query={{ of: 'coverage', packages: found.name }}
            file={`${found.name}-choices`}
            words="Which choices were exercised"
            isLive
          />
        </Panel>
      ) : (
        <Declared found={found} counts={coverage.counts} />
      )}
    </>
  );
}
