/** A button for a change of the network. It shows the error of a rejection. */
import { useState } from 'preact/hooks';
import { visible } from './format.js';

export function Action({
  label,
  run,
  kind = '',
  disabled = false,
}: {
  label: string;
  run: () => Promise<unknown>;
  kind?: string;
  disabled?: boolean;
}) {
  const [state, setState] = useState<{ isRunning: boolean; error?: string }>({ isRunning: false });
  const click = async () => {
    setState({ isRunning: true });
    try {
      await run();
      setState({ isRunning: false });
    } catch (error) {
      setState({ isRunning: false, error: (error as Error).message });
    }
  };
  return (
    <span class="action">
      <button
        type="button"
        class={kind}
        disabled={disabled || state.isRunning}
        onClick={() => void click()}
      >
        {label}
      </button>
      {state.error !== undefined && (
        <span class="refusal" role="alert">
          {visible(state.error)}
        </span>
      )}
    </span>
  );
}
