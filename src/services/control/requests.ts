/**
 * The journal of requests: lists it, clears it, and explains an error in it. NOTE: the texts of the control API are
 * Canticle's, because a real network has no control API.
 */
import type { Explanation } from '../../daml/errors/explanation.js';
import type { ExplanationOfRequest } from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

export const requests = {
  listRequests: (context, { query }) => ({ requests: context.requests.list(query) }),
  clearRequests: (context) => ({ cleared: context.requests.clear() }),
  explainRequest: (context, { path }) => {
    const explanation = explanationOf(context, path.requestId);
    return { ...explanation.toJSON(), text: explanation.text() } as ExplanationOfRequest;
  },
  explainRequestAsText: (context, { path }) => `${explanationOf(context, path.requestId).text()}\n`,
} satisfies SomeHandlers<'control'>;

/** @param requestId of an entry, or `latest` for the newest one with an explanation */
function explanationOf({ requests: journal }: ControlContext, requestId: string): Explanation {
  const id = requestId === 'latest' ? requestId : Number(requestId);
  const explanation = journal.explain(id);
  if (explanation === undefined)
    throw new HttpRefusal(
      404,
      `There is nothing to explain of request ${requestId}: only refused submissions are explained, as long as the journal has them.`,
    );
  return explanation;
}
