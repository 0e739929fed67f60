import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useSay } from "../../app/notices.js";
import { useClient } from "../../server/server.js";
import { useLoaded } from "../../server/use-loaded.js";
import { useText } from "../../text/texts.js";
import { download } from "../download.js";
import { Loading } from "../loading.js";
import { Markdown } from "../markdown.js";
import { errorText, Problem } from "../problem.js";
import { Code } from "./code.js";
import { Diagram } from "./diagram.js";
import { type FileKind, imageTypeOf, kindOf, nameIn, sizeText } from "./kinds.js";

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
  const say = useSay();
  const client = useClient();
  const isLarge = bytes > MOST_BYTES;
  const { loaded, again } = useLoaded(
    (signal) => (isLarge ? Promise.resolve(null) : client.artefact(run, path, signal)),
    [client, run, path, isLarge],
  );
  const take = async (): Promise<void> => {
    try {
      download(nameIn(path), (loaded.value ?? (await client.artefact(run, path))).slice());
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  return (
    <article className="card preview" aria-label={path}>
      <header>
        <h3>{path}</h3>
        <button type="button" onClick={() => void take()}>
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
  const text = useMemo(
    () => (kind === "binary" || kind === "image" || kind === "pdf" ? "" : new TextDecoder().decode(bytes)),
    [kind, bytes],
  );
  const [showsSource, setShowsSource] = useState(false);
  if (kind === "binary") return <p className="faint">{t("files.binary")}</p>;
  if (kind === "pdf") return <Document bytes={bytes} />;
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
      {isSource ? <Code text={shown} path={path} /> : <Shown kind={kind} text={text} shown={shown} />}
    </>
  );
}

function Shown({ kind, text, shown }: { readonly kind: FileKind; readonly text: string; readonly shown: string }) {
  if (kind === "markdown") return <Markdown text={shown} />;
  return kind === "diagram" ? <Diagram key={text} text={text} /> : <HtmlFrame html={text} />;
}

/** An address of the bytes that lasts as long as they are shown; the browser takes them for `type` and nothing else. */
function useAddress(bytes: Uint8Array, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}

function Picture({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }) {
  const t = useText();
  const url = useAddress(bytes, imageTypeOf(path) ?? "");
  const [isFull, setIsFull] = useState(false);
  if (url === null) return null;
  return (
    <>
      <div className="actions">
        <button type="button" aria-pressed={isFull} onClick={() => setIsFull(!isFull)}>
          {t("files.full")}
        </button>
      </div>
      <div className={isFull ? "wide full" : ""} tabIndex={isFull ? 0 : undefined}>
        <img src={url} alt={nameIn(path)} />
      </div>
    </>
  );
}

/** In the viewer of the browser, where it has one: it runs apart from the page. */
function Document({ bytes }: { readonly bytes: Uint8Array }) {
  const t = useText();
  const url = useAddress(bytes, "application/pdf");
  if (!navigator.pdfViewerEnabled) return <p className="faint">{t("files.noPdf")}</p>;
  return url === null ? null : <iframe title={t("files.pdf")} src={url} />;
}

/** The frame is a page of its own with a policy of its own; it gets the text by message. Scripts run there only when asked for. */
function HtmlFrame({ html }: { readonly html: string }) {
  const t = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const [runsScripts, setRunsScripts] = useState(false);
  // Before the frame can speak: an effect after painting may come too late on a machine that is busy.
  useLayoutEffect(() => {
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
