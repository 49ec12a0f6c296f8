/** Whether open streams have an update before the submission of it is answered, or after that. */
export type UpdateOrder = (typeof UPDATE_ORDERS)[number];
export const UPDATE_ORDERS = ['before-answers', 'after-answers'] as const;
