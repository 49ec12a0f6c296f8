/** Whether open streams have an update before the submission of it is answered, or after that. */
export type UpdateOrder = 'before-answers' | 'after-answers';
