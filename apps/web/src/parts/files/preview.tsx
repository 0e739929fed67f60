import { useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../server/server.js";
import { useLoaded } from "../../server/use-loaded.js";
import { useText } from "../../text/texts.js";
import { Loading } from "../loading.js";
import { Markdown } from "../markdown.js";
import { Problem } from "../problem.js";
import { imageTypeOf, kindOf, nameIn, sizeText } from "./kinds.js";

/** Larger files are not fetched to be looked at. */
const MOST_BYTES = 5_000_000;
/** Longer texts are cut. */
const MOST_CHARACTERS = 400_000;

interface PreviewProps {
  readonly run: string;
  readonly path: string;
  readonly bytes: number;
}

/** One file as it is best looked at. What a model wrote never runs in the page: HTML is shown in a frame that has no origin and no network. */
export function Preview({ run, path, bytes }: PreviewProps) {
  const t = useText();
  const client = useClient();
  const isLarge = bytes > MOST_BYTES;
  const { loaded, again } = useLoaded(
    (signal) => (isLarge ? Promise.resolve(null) : client.artefact(run, path, signal)),
    [client, run, path, isLarge],
  );
  const download = async (): Promise<void> => {
    const content = loaded.value ?? (await client.artefact(run, path));
    const url = URL.createObjectURL(new Blob([content.slice()], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = nameIn(path);
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <article className="card preview" aria-label={path}>
      <header>
        <h3>{path}</h3>
        <button type="button" onClick={() => void download()}>
          {t("files.download")}
        </button>
      </header>
      {loaded.is === "failed" ? <Problem error={loaded.error} retry={again} /> : null}
      {loaded.is === "loading" ? <Loading /> : null}
      {isLarge ? <p className="faint">{t("files.large", { size: sizeText(bytes) })}</p> : null}
      {loaded.value === null ? null : <Content path={path} bytes={loaded.value} />}
    </article>
  );
}

function Content({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }) {
  const t = useText();
  const kind = kindOf(path, bytes);
  const text = useMemo(() => (kind === "binary" || kind === "image" ? "" : new TextDecoder().decode(bytes)), [kind, bytes]);
  const [showsSource, setShowsSource] = useState(false);
  if (kind === "binary") return <p className="faint">{t("files.binary")}</p>;
  if (kind === "image") return <Picture path={path} bytes={bytes} />;
  const shown = text.slice(0, MOST_CHARACTERS);
  const isSource = kind === "text" || showsSource;
  return (
    <>
      {kind === "text" ? null : (
        <div className="actions">
          <button type="button" aria-pressed={showsSource} onClick={() => setShowsSource(!showsSource)}>
            {t("answers.source")}
          </button>
        </div>
      )}
      {shown.length < text.length ? <p className="warning">{t("files.cut", { count: MOST_CHARACTERS })}</p> : null}
      {isSource ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>{shown}</pre>
      ) : kind === "markdown" ? (
        <Markdown text={shown} />
      ) : (
        <HtmlFrame html={text} />
      )}
    </>
  );
}

function Picture({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type: imageTypeOf(path) ?? "" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [path, bytes]);
  return url === null ? null : <img src={url} alt={nameIn(path)} />;
}

/** The frame is a page of its own with a policy of its own; it gets the text by message. Scripts run there only when asked for. */
function HtmlFrame({ html }: { readonly html: string }) {
  const t = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const [runsScripts, setRunsScripts] = useState(false);
  useEffect(() => {
    const send = ({ source, data }: MessageEvent): void => {
      // The frame has no origin to send to; what it gets is nothing but the file.
      if (source === frame.current?.contentWindow && data === "ready") frame.current?.contentWindow?.postMessage({ html }, "*");
    };
    addEventListener("message", send);
    return () => removeEventListener("message", send);
  }, [html]);
  return (
    <>
      <p className="actions">
        <button type="button" aria-pressed={runsScripts} onClick={() => setRunsScripts(!runsScripts)}>
          {t("files.scripts")}
        </button>
        <span className="faint">{t("files.sandbox")}</span>
      </p>
      <iframe
        key={String(runsScripts)}
        ref={frame}
        title={t("files.page")}
        sandbox="allow-scripts"
        src={`./preview/${runsScripts ? "lively" : "still"}.html`}
        referrerPolicy="no-referrer"
      />
    </>
  );
}
