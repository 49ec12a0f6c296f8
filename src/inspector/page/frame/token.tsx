/** Asks for a token if the controls require one. The page keeps it until the tab closes. */
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
        The controls of this network require an administrator's token. With{' '}
        <code>--open-controls</code> they need no token.
      </p>
      <label class="field">
        <span>Token</span>
        <input name="token" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Look</button>
    </form>
  );
}
