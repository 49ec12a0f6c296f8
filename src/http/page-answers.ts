/** The pages for people, as answers. */
import { formatInstant } from '../daml/model/time.js';
import { pageAt } from '../services/pages/pages.js';
import type { WireAnswer } from './answers.js';
import type { Exchange, World } from './contexts.js';
import type { Router } from './routing/router.js';

/** @returns undefined where no page is, or for another method than those that read */
export function pageAnswer(
  { network, participantNames: participants, readReader }: World,
  { ledgerPrefix, apiVersion }: Router,
  { method, header, root }: Exchange,
  pathname: string,
): WireAnswer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const request = {
    root: root(),
    ledgerPrefix,
    apiVersion,
    participants,
    time: formatInstant(network.clock.now()),
    accept: header('accept'),
    encodings: header('accept-encoding'),
  };
  const found = pageAt(pathname, request, readReader);
  return found && { status: 200, ...found };
}
