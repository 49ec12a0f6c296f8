/** Asks for a token, where the controls are open only to who has one. It is kept until the tab is closed. */
import { giveToken } from '../state/api.js';

export function TokenForm() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token');
    giveToken((field as HTMLInputElement).value);
  };
  return (
    <form class="panel token" onSubmit={submit}>
      <h2>A token is needed</h2>
      <p>
        The controls of this network are open to an administrator's token alone. With{' '}
        <code>--open-controls</code> they are open to everybody.
      </p>
      <label class="field">
        <span>Token</span>
        <input name="token" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Look</button>
    </form>
  );
}
