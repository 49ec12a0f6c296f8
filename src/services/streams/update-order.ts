/** Whether open streams receive an update before or after the answer to its submission. */
export type UpdateOrder = 'before-answers' | 'after-answers';
