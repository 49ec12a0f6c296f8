/**
 * The pages for people, as answers: the home page, the reader of documents, and the inspector, which is loaded when
 * it is first opened.
 */
import { formatInstant } from '../daml/model/time.js';
import { pageAt } from '../services/pages/pages.js';
import { APIS } from '../spec/apis.js';
import type { Api } from '../spec/api.js';
import { withHeaders, type WireAnswer } from './answers.js';
import type { Exchange, World } from './contexts.js';
import { corsHeaders } from './pages/cors.js';
import type { PageGuard } from './pages/page-guard.js';
import type { Router } from './routing/router.js';

const INSPECTOR = APIS.control.basePath;

/** @returns undefined if the path has no page, or for a method that does not read */
export async function pageAnswer(
  world: World,
  { ledgerPrefix }: Router,
  { method, header, root }: Exchange,
  pathname: string,
): Promise<WireAnswer | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { network, participantNames: participants, readReader, inspector } = world;
  const request = {
    root: root(),
    ledgerPrefix,
    release: world,
    releases: world.releases,
    participants,
    time: formatInstant(network.clock.now()),
    accept: header('accept'),
    encodings: header('accept-encoding'),
  };
  const isInspector = pathname === INSPECTOR || pathname.startsWith(`${INSPECTOR}/`);
  const found = isInspector
    ? await inspector(pathname.slice(INSPECTOR.length), request)
    : pageAt(pathname, request, readReader);
  return found && { status: 200, ...found };
}

/** An answer with the headers that let the page read it. */
export function sharedAnswer(
  pages: PageGuard,
  api: Api,
  header: Exchange['header'],
  answer: WireAnswer,
): WireAnswer {
  const cors = corsHeaders(pages, api, header);
  return cors === undefined ? answer : withHeaders(answer, cors);
}
