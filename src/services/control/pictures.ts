/** SVG pictures for documents: of a submission, of its interpretation steps, and of the used choices. */
import { flameGraph, sequenceDiagram } from '../../daml/tracing/trace-pictures.js';
import { coveragePicture } from '../../network/coverage/coverage-picture.js';
import {
  HttpRefusal,
  Reply,
  type ControlContext,
  type Handlers,
  type SomeHandlers,
} from '../handler.js';
import { reportOf } from './coverage.js';
import { profileNamed, traceNamed } from './traces.js';

type Query = Parameters<Handlers<'control'>['getPicture']>[1]['query'];

export const pictures = {
  getPicture: (context, { query }) =>
    new Reply(drawn(context, query), { contentType: 'image/svg+xml' }),
} satisfies SomeHandlers<'control'>;

function drawn(context: ControlContext, query: Query): string {
  switch (query.of) {
    case 'coverage':
      return coveragePicture(reportOf(context, query.packages));
    case 'functions':
      return flameGraph(profileNamed(context, query));
    case 'steps':
      return flameGraph(traceNamed(context, query));
    case 'sequence':
      return sequenceDiagram(traceNamed(context, query));
    default:
      throw new HttpRefusal(400, 'Say what of: sequence, steps, functions or coverage.');
  }
}
