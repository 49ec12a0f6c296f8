/** The answer at the root: a list of all served APIs, as JSON for programs and as a page for people. */
import { APIS } from '../../spec/apis.js';
import { operationsOf } from '../../spec/operations.js';
import type { Api } from '../../spec/api.js';
import type { NodeRelease, Releases } from '../../spec/releases/releases.js';
import { releaseOf, spliceReleaseOf } from '../../spec/versions.js';
import { DOCUMENT_PATHS } from '../documents.js';
import { escapeHtml, page } from './html.js';

export interface HomeFacts {
  /** The URL of this instance, without a slash at its end. */
  readonly root: string;
  /** The prefix of the Ledger API's paths: empty, or with a slash at its start. */
  readonly ledgerPrefix: string;
  readonly release: NodeRelease;
  readonly releases: Releases;
  /** The ledger's time, RFC 3339. */
  readonly time: string;
  /** By name; the first is at the root. */
  readonly participants: readonly string[];
}

/** One API in the list. */
interface Entry {
  readonly name: string;
  readonly release?: string;
  readonly url: string;
  readonly operations: number;
  /** Its OpenAPI document, as JSON. */
  readonly document: string;
}

export interface Home {
  readonly name: 'canticle';
  readonly time: string;
  readonly participants: readonly { readonly name: string; readonly ledgerApi: string }[];
  readonly apis: readonly Entry[];
  /** A page that shows each document. */
  readonly docs: string;
}

const NAMES: Readonly<Record<Api, string>> = {
  ledger: 'JSON Ledger API',
  scan: 'Scan',
  registry: 'Token registry',
  validator: 'Validator',
  wallet: 'Wallet',
  names: 'Names',
  sv: 'SV app',
  control: 'Controls',
};

export function homeOf(facts: HomeFacts): Home {
  const { root, ledgerPrefix, time, participants, releases } = facts;
  const { spliceVersion, registryPreviews } = releases;
  const entry = (api: Api): Entry => {
    const base = root + (api === 'ledger' ? ledgerPrefix : '');
    return {
      name: NAMES[api],
      ...(api !== 'control' && { release: versionOf(api, facts) }),
      url: base + APIS[api].basePath,
      operations: operationsOf(api, { ...facts.release, spliceVersion, registryPreviews }).length,
      document: base + DOCUMENT_PATHS[api],
    };
  };
  return {
    name: 'canticle',
    time,
    participants: participants.map((name, index) => ({
      name,
      ledgerApi: `${root}${index === 0 ? '' : `/participants/${name}`}${ledgerPrefix}`,
    })),
    apis: (Object.keys(NAMES) as Api[]).map(entry),
    docs: `${root}/docs`,
  };
}

function versionOf(api: Api, { release, releases }: HomeFacts): string {
  if (api === 'ledger') return releaseOf(release.apiVersion).version;
  const isOfValidator = api === 'validator' || api === 'wallet' || api === 'names';
  return spliceReleaseOf(isOfValidator ? release.validatorVersion : releases.spliceVersion).version;
}

export function homePage({ time, participants, apis, docs }: Home): string {
  const link = (url: string): string => {
    const shown = escapeHtml(url);
    return `<a href="${shown}">${shown}</a>`;
  };
  const row = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  return page(
    'Canticle',
    `<h1>Canticle</h1>
<p>An in-memory Canton Network for tests. Its time is ${escapeHtml(time)}. The documents stand in <a href="${escapeHtml(docs)}">a reader</a>.</p>
<table><thead><tr><th>API</th><th>release</th><th>URL</th><th>operations</th></tr></thead><tbody>
${apis.map(({ name, release = '', url, operations }) => row([escapeHtml(name), release, link(url), `${operations}`])).join('\n')}
</tbody></table>
<table><thead><tr><th>participant</th><th>its Ledger API</th></tr></thead><tbody>
${participants.map(({ name, ledgerApi }) => row([escapeHtml(name), link(`${ledgerApi}/v2/version`)])).join('\n')}
</tbody></table>
<p>What was asked: ${link(docs.replace(/docs$/, 'canticle/v1/requests'))}</p>`,
  );
}
