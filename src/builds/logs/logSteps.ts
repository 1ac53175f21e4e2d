/**
 * The header of a step of a build. There is no standard: these are the headers that builders print.
 *
 * | level | line | printed by |
 * |---|---|---|
 * | 1 | `── Preparing` | the local service's Cordova builder |
 * | 1 | `Building App 1.0 for android …` | the local service, first line |
 * | 1 | `=== BUILD TARGET App OF PROJECT App …` | Xcode |
 * | 1 | `##[group]Name`, `::group::Name`, to `##[endgroup]`, `::endgroup::` | GitHub Actions, Azure Pipelines |
 * | 2 | `> Task :app:compile`, `> Configure project :app` | Gradle |
 * | 2 | `CompileC …`, `Ld …`, `CodeSign …` at the start of a line | Xcode |
 * | 2 | `> app@1.0.0 build` | npm |
 *
 * A step goes on until the next one of its level or above. A time before a line does not matter.
 */
export interface StepHeader {
  readonly level: 1 | 2;
  readonly title: string;
}

/** A line that is more than text. */
export type LineKind =
  | { readonly kind: 'step'; readonly header: StepHeader }
  /** Nothing after it belongs to the step before. */
  | { readonly kind: 'groupEnd' }
  | { readonly kind: 'error'; readonly text: string };

/** A time in front of a line, in brackets or not. */
const TIME = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s+/;
const GROUP = /^(?:##\[group\]|::group::)\s*(.*)$/s;
const GROUP_END = /^(?:##\[endgroup\]|::endgroup::)/;
const STEPS: readonly (readonly [StepHeader['level'], RegExp])[] = [
  [1, /^──+ (.+)$/],
  [1, /^(Building .+ for [\p{L}\p{N}_-]+ with the [\p{L}\p{N}_-]+ builder)$/u],
  [1, /^=== (.+?) ===$/],
  [2, /^> ((?:Task|Configure project) :.+)$/],
  [
    2,
    /^((?:CompileC|CompileSwift|SwiftCompile|Ld|CodeSign|CompileAssetCatalog|CompileStoryboard|LinkStoryboards|ProcessInfoPlistFile|PhaseScriptExecution) \S.*)$/,
  ],
  [2, /^> (@?[\w./-]+@\d\S* \S+)$/],
];
const ERRORS: readonly RegExp[] = [
  /^(?:##\[error\]|::error[^:]*::)\s*(.*)$/s,
  /^(?:npm (?:ERR!|error) .+|FAILURE: .+|BUILD FAILED.*|\*\* \w+ FAILED \*\*|e: .+|\[?(?:ERROR|FATAL)\b.+)$/,
  /^(?:fatal )?error(?:\[?[ \w-]{0,20}\]?)?: .+$/i,
  /^\S.*?[:)] (?:fatal )?error\b.+$/is,
  /^(?:Malformed config\.xml: .+|Error: .+)$/,
];

/** The kind of a line; undefined for text. */
export function kindOf(text: string): LineKind | undefined {
  const line = text.replace(TIME, '');
  const group = GROUP.exec(line);
  if (group !== null) {
    return { kind: 'step', header: { level: 1, title: group[1] ?? '' } };
  }
  if (GROUP_END.test(line)) {
    return { kind: 'groupEnd' };
  }
  for (const [level, pattern] of STEPS) {
    const title = pattern.exec(line)?.[1];
    if (title !== undefined) {
      // Gradle says at the end of a header how the step ended.
      return { kind: 'step', header: { level, title } };
    }
  }
  for (const pattern of ERRORS) {
    const found = pattern.exec(line);
    if (found !== null) {
      return { kind: 'error', text: found[1] ?? found[0] };
    }
  }
  return undefined;
}

/** A step with what is in it. Lines are numbers in the whole log, the last one included. */
export interface Step {
  readonly title: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly errors: readonly { readonly line: number; readonly text: string }[];
  readonly steps: readonly Step[];
}

/** A line of a kind, by its number in the whole log. */
export interface MarkedLine {
  readonly line: number;
  readonly mark: LineKind;
}

/** The steps of a log, with the errors that are in none. */
export interface Steps {
  readonly steps: readonly Step[];
  readonly errors: Step['errors'];
}

/** Puts the steps into each other. @param marks in the order of their lines. @param endLine one after the last line. */
export function stepsOf(marks: readonly MarkedLine[], endLine: number): Steps {
  const root = openStep('', 0, 0);
  let open = [root];
  const close = (level: number, line: number): void => {
    for (const step of open.filter((each) => each.level >= level)) {
      step.lastLine = Math.max(step.firstLine, line - 1);
    }
    open = open.filter((each) => each.level < level);
  };
  for (const { line, mark } of marks) {
    switch (mark.kind) {
      case 'step': {
        close(mark.header.level, line);
        const step = openStep(mark.header.title, mark.header.level, line);
        open.at(-1)?.steps.push(step);
        open.push(step);
        break;
      }
      case 'groupEnd':
        close(1, line + 1);
        break;
      case 'error':
        open.at(-1)?.errors.push({ line, text: mark.text });
        break;
    }
  }
  close(1, endLine);
  return root;
}

interface OpenStep {
  readonly level: number;
  readonly title: string;
  readonly firstLine: number;
  lastLine: number;
  readonly errors: { line: number; text: string }[];
  readonly steps: OpenStep[];
}

function openStep(title: string, level: number, firstLine: number): OpenStep {
  return { level, title, firstLine, lastLine: firstLine, errors: [], steps: [] };
}

/** The errors in a step and in the steps in it. */
export function errorCount({ errors, steps }: Pick<Step, 'errors' | 'steps'>): number {
  return steps.reduce((count, step) => count + errorCount(step), errors.length);
}
