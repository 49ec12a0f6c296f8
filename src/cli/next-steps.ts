/** The commands that `canticle sandbox FILE` suggests. */
import type { Canticle } from '../assembly/canticle.js';

/** Each line is a complete command for a second terminal. The commands only read. */
export function nextSteps({ urls }: Pick<Canticle, 'urls'>): string {
  const steps = [
    ['the parties', `${urls.ledgerApi}/v2/parties`],
    ['the ledger end', `${urls.ledgerApi}/v2/state/ledger-end`],
    ['the synchronizers', `${urls.ledgerApi}/v2/state/connected-synchronizers`],
    ['the instruments of the registry', `${urls.registry}/registry/metadata/v1/instruments`],
    ['the next migration', `${urls.scan}/v0/migrations/schedule`],
    ['the time', `${urls.control}/time`],
  ];
  const lines = steps.map(([what, url]) => `  curl ${url}   # ${what}`);
  return ['', 'Try in another terminal (docs/guides/sandbox.md has more):', ...lines, ''].join(
    '\n',
  );
}
