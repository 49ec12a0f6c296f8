import { conserved, fuzzDaml } from 'canticle/node-test';

fuzzDaml(process.env.DAR ?? 'token-1.0.0.dar', {
  invariants: [conserved({ template: 'Token', field: 'amount', by: ['issuer', 'instrument'] })],
});
