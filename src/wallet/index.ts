/** Exports of the test views. Other folders of `src` import its files directly. */
export { ParticipantView } from './participant-view.js';
