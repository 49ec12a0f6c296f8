/** What `canticle sandbox FILE` suggests to someone who wants to look around. */
import type { Canticle } from '../assembly/canticle.js';

/** Every line is a whole command for a second terminal, and only reads. */
export function nextSteps({ urls }: Pick<Canticle, 'urls'>): string {
  const steps = [
    ['who is here', `${urls.ledgerApi}/v2/parties`],
    ['how far the ledger has come', `${urls.ledgerApi}/v2/state/ledger-end`],
    ['which synchronizers there are', `${urls.ledgerApi}/v2/state/connected-synchronizers`],
    ['what the registry knows', `${urls.registry}/registry/metadata/v1/instruments`],
    ['when the next migration comes', `${urls.scan}/v0/migrations/schedule`],
    ['what time it is', `${urls.control}/time`],
  ];
  const lines = steps.map(([what, url]) => `  curl ${url}   # ${what}`);
  return ['', 'Try in another terminal (README.md has more):', ...lines, ''].join('\n');
}
