/** A picture from the controls, with a download link. */
import { useEffect, useState } from 'preact/hooks';
import { fetchJson, type Query } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { Answer } from './frames.js';

/** @param file the file name of the download, without extension */
export function Picture({
  query,
  file,
  words,
  isLive = false,
}: {
  query: Query;
  file: string;
  words: string;
  isLive?: boolean;
}) {
  const loaded = useLoaded(
    JSON.stringify(query),
    (signal) => fetchJson<string>('pictures', query, signal),
    isLive,
  );
  return (
    <Answer loaded={loaded}>
      {(svg) => (
        <figure class="picture">
          <Download svg={svg} name={`${file}.svg`} />
          <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={words} />
        </figure>
      )}
    </Answer>
  );
}

function Download({ svg, name }: { svg: string; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return (
    <a class="download" href={url} download={name}>
      Download {name}
    </a>
  );
}
