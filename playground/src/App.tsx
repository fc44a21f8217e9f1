import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { alive, gallery, meta as readMeta, CallError, type Meta } from "./api";
import { EMPTY_SESSION, type Example, type Fix, type Problem, type Session, type TextFile } from "./model";
import { Editor, type Target } from "./parts/Editor";
import { FileBar } from "./parts/FileBar";
import { Gallery } from "./parts/Gallery";
import { CommandBar, Header, PaneBar, type PaneName } from "./parts/Header";
import { Help } from "./parts/Help";
import { ResultPane, type View } from "./parts/ResultPane";
import { Save } from "./parts/Save";
import { download, Share } from "./parts/Share";
import { Why } from "./parts/Why";
import { Words } from "./parts/Words";
import { ValuesPane } from "./parts/ValuesPane";
import { fixed } from "./fix";
import { keepDraft, keptDraft } from "./draft";
import { fragment, leaveFragment, removeFragment } from "./fragment";
import { fromFragment } from "./share";
import { useProject } from "./useProject";
import { useRender } from "./useRender";

type DialogName = "gallery" | "share" | "help" | "save";

export function App() {
  const [meta, setMeta] = useState<Meta | null>(null);
  const [notice, setNotice] = useState("");
  const [examples, setExamples] = useState<Example[]>([]);
  /** Whether both have come, or will not come. */
  const [isReady, setReady] = useState(false);
  const [session, setSession] = useState<Session>(EMPTY_SESSION);
  const [scope, setScope] = useState(0);
  const [example, setExample] = useState<Example | null>(null);
  const [active, setActive] = useState("config.yml");
  const [target, setTarget] = useState<Target | null>(null);
  const [writing, setWriting] = useState(0);
  const [view, setView] = useState<View>("output");
  const [pane, setPane] = useState<PaneName>("edit");
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [question, setQuestion] = useState<string | null>(null);
  const [lit, setLit] = useState<{ file: string; line: number }[]>([]);
  const [isOfProject, setOfProject] = useState(false);
  const project = useProject(meta);
  const rendered = useRender(session, scope);
  const problems = useMemo(() => rendered.answer?.diagnostics ?? [], [rendered.answer]);

  const open = useCallback((next: Session, path: string | undefined, from: Example | null, ofProject = false) => {
    setSession({ kind: next.kind, arguments: next.arguments, files: next.files });
    setScope((before) => before + 1);
    setActive(path ?? next.files[0]?.path ?? "");
    setExample(from);
    setOfProject(ofProject);
    setQuestion(null);
    setLit([]);
  }, []);

  /** Opens what the user has asked for: dialogs and messages about what was there before go away. */
  const openInstead = useCallback((next: Session, path: string | undefined, from: Example | null) => {
    open(next, path, from);
    setDialog(null);
    setNotice("");
  }, [open]);

  /** Opens what the address names: a shared session or an example. Returns whether it names one. */
  const openAddress = useCallback((opening: typeof openInstead): boolean => {
    const address = fragment();
    const shared = fromFragment(address);
    const named = examples.find((own) => address === `#example=${own.id}`);
    if (shared !== null) opening(shared, undefined, null);
    else if (named !== undefined) opening(named, named.open, named);
    else if (address.startsWith("#s=")) setNotice("This link cannot be read. Was it cut?");
    return shared !== null || named !== undefined;
  }, [examples]);

  useEffect(() => {
    const known = readMeta().then(setMeta, (error: unknown) => {
      const isRefused = error instanceof CallError && error.status === 403;
      setNotice(isRefused ? "Open the address that `inlay playground` printed: this tab has no permission for the folder." : "The playground does not answer.");
    });
    const listed = gallery().then(setExamples, () => setNotice("The examples cannot be read."));
    void Promise.all([known, listed]).then(() => setReady(true));
  }, []);

  useLayoutEffect(() => {
    // Once, when everything is known: whatever comes later would replace what the user has typed meanwhile. A shared
    // link is never taken for the folder, so it cannot be written there.
    if (!isReady || openAddress(open)) return;
    removeFragment();
    const draft = keptDraft();
    const first = examples[0];
    if (project !== null) project.open().then((files) => open(files, undefined, null, true), () => setNotice("The folder cannot be read."));
    else if (draft !== null) open(draft, undefined, null);
    else if (first !== undefined) open(first, first.open, first);
    else open(EMPTY_SESSION, undefined, null);
  }, [isReady]);

  useEffect(() => {
    // Browsers let a hidden page do this once a minute.
    const timer = setInterval(() => void alive().catch(() => undefined), 20_000);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    // A link that is pasted into the same tab changes only the fragment.
    const changed = () => void openAddress(openInstead);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, [openAddress]);

  useEffect(() => {
    // An example that somebody has changed is theirs.
    const isOwn = example === null || session.files !== example.files || session.arguments !== example.arguments;
    if (scope > 0 && isOwn && !isOfProject) keepDraft(session);
  }, [session, scope]);

  const change = useCallback((next: (before: Session) => Session) => {
    setSession(next);
    leaveFragment();
  }, []);
  const editFile = useCallback((edited: TextFile) => {
    change((before) => {
      const file = before.files.find((own) => own.path === edited.path);
      if (file === undefined || file.text === edited.text) return before;
      return { ...before, files: before.files.map((own) => (own === file ? edited : own)) };
    });
  }, [change]);
  const goTo = useCallback(({ file, line, column }: { file: string; line: number; column: number }) => {
    setActive(file);
    setPane("edit");
    setTarget({ path: file, line, column });
  }, []);
  const go = useCallback((problem: Problem) => {
    const { file, line, column } = problem;
    if (file !== undefined && line !== undefined && column !== undefined) goTo({ file, line, column });
  }, []);
  const fix = useCallback((one: Fix) => change((before) => fixed(before, one)), [change]);

  const nextProblem = useRef(-1);
  const goToProblem = (step: number) => {
    const placed = problems.filter((problem) => session.files.some((file) => file.path === problem.file));
    if (placed.length === 0) return;
    nextProblem.current = (nextProblem.current + step + placed.length) % placed.length;
    go(placed[nextProblem.current]!);
  };
  const save = () => (isOfProject && project !== null ? setDialog("save") : download(session));

  const onKey = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (isCommand && event.key === "Enter") setSession((before) => ({ ...before }));
    else if (isCommand && event.key === "s") save();
    else if (event.key === "F8") goToProblem(event.shiftKey ? -1 : 1);
    else if (event.key === "F6") focusNextPane(event.shiftKey ? -1 : 1);
    else if (event.altKey && digit !== undefined && session.files[Number(digit) - 1] !== undefined) setActive(session.files[Number(digit) - 1]!.path);
    else return;
    event.preventDefault();
  };
  // A key acts on what is shown: an effect of its own for each render would come a moment later, and one that is not a
  // layout effect comes after the page can be seen.
  const latestOnKey = useRef(onKey);
  latestOnKey.current = onKey;
  useLayoutEffect(() => {
    const onLatestKey = (event: KeyboardEvent) => latestOnKey.current(event);
    addEventListener("keydown", onLatestKey);
    return () => removeEventListener("keydown", onLatestKey);
  }, []);

  const file = session.files.find((own) => own.path === active) ?? session.files[0];
  return (
    <div class="page" data-pane={pane} data-example={example?.id}>
      <Header rendered={rendered} problems={problems} onDialog={setDialog}
        onProblems={() => { setView("problems"); setPane("result"); }}
        unsaved={isOfProject && project !== null && !project.isReadOnly ? project.changed(session).length : 0} />
      {notice !== "" && <p class="notice" role="alert"><Words text={notice} /></p>}
      {/* Until something is open, what is typed would be replaced by it. */}
      <CommandBar session={session} isInert={scope === 0} onChange={change} />
      <main inert={scope === 0}>
        <section class="pane values" aria-label="Data values" tabIndex={-1}>
          <ValuesPane session={session} rendered={rendered} problems={problems} scope={scope}
            onChange={change} onOpen={(path) => { setActive(path); setPane("edit"); }} />
        </section>
        <section class="pane edit" aria-label="Files" tabIndex={-1}>
          {example !== null && (
            <div class="lesson">
              <h2>{example.title}</h2>
              <p><Words text={example.lesson} /></p>
              <p><strong>Try it:</strong> <Words text={example.try} /></p>
            </div>
          )}
          <FileBar session={session} active={file?.path ?? ""} onActive={setActive} onChange={change} onNotice={setNotice}
            onAccept={() => setWriting((before) => before + 1)} />
          <div class="editor-panel" id="files" role="tabpanel" aria-labelledby={`files-tab-${file?.path ?? ""}`}>
            {file !== undefined
              ? <Editor key={scope} file={file} problems={problems} lit={lit} target={target} writing={writing} onChange={editFile} onFix={fix} />
              : <p class="empty">Add a file, or drop a folder here.</p>}
          </div>
        </section>
        <section class="pane result" aria-label="Result" tabIndex={-1}>
          <ResultPane rendered={rendered} problems={problems} view={view} onView={setView} onGo={go} onFix={fix} onAsk={setQuestion} />
          {question !== null && (
            <Why session={session} question={question} onAsk={setQuestion} onGo={goTo} onLight={setLit} onClose={() => { setQuestion(null); setLit([]); }} />
          )}
        </section>
      </main>
      <PaneBar pane={pane} problems={problems.length} onPane={setPane} />
      {dialog === "gallery" && <Gallery examples={examples} onClose={() => setDialog(null)} onOpen={(own) => openInstead(own, own.open, own)} />}
      {dialog === "share" && <Share session={session} answer={rendered.answer} onClose={() => setDialog(null)} />}
      {dialog === "help" && <Help version={meta?.version} onClose={() => setDialog(null)} />}
      {dialog === "save" && project !== null && <Save project={project} session={session} onClose={() => setDialog(null)} />}
    </div>
  );
}

function focusNextPane(step: number): void {
  const panes = [...document.querySelectorAll<HTMLElement>(".pane")].filter((pane) => pane.offsetParent !== null);
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  panes[(at + step + panes.length) % panes.length]?.focus();
}
