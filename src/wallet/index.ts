/** The door of the views that a test acts through: what the tests of other rooms use of it. The rooms themselves import each other's files. */
export { ParticipantView } from './participant-view.js';
