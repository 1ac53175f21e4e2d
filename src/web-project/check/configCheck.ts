import { formatSentence, sentence } from '../../errors/index.ts';
import {
  checkConfig,
  configError,
  type ConfigProblem,
  configWarning,
  findAbsence,
  getStartPage,
  identityProblems,
  isWidget,
  type MissingFile,
  type MissingFiles,
  parseXml,
  syntaxProblems,
  type XmlDocument,
} from '../../config-xml/index.ts';
import { createAppFolder, projectFilesNamedIn } from '../neededFiles.ts';
import type { ProjectLayout } from '../projectLayout.ts';
import type { MadeConfig } from '../madeConfig.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { type ConfigFacts, type ConfigText, getConfigFacts, readConfigFile, ruleAgainst } from './configFile.ts';
import {
  fine,
  findWords,
  createLocator,
  type ProjectFinding,
  type ProjectLocation,
  type FindingVerdict,
} from './projectFinding.ts';
import { pageFinding } from './pageCheck.ts';

interface ConfigCheck {
  readonly findings: readonly ProjectFinding[];
  /** Facts from config.xml. Undefined if it can't be read. */
  readonly facts: ConfigFacts | undefined;
}

interface CheckedProject {
  readonly folder: ProjectFolder;
  /** The planned package. Undefined if nothing can be sent. */
  readonly plan: Pick<PackagePlan, 'files' | 'made' | 'config' | 'layout' | 'leftOut'> | undefined;
  /**
   * Returns the text of a file that's open in an editor with unsaved changes, or undefined.
   *
   * @param path the path relative to the project
   */
  readonly unsavedText: (path: string) => string | undefined;
}

/**
 * Checks config.xml and the app's start page against the files that would be sent.
 *
 * @throws CancelledError
 */
export async function checkProjectConfig(project: CheckedProject): Promise<ConfigCheck> {
  const { folder, plan, unsavedText } = project;
  const sent = new Set([...(plan?.files ?? []), ...(plan?.made ?? [])].map(({ path }) => path));
  const made = plan?.config;
  const own = plan?.layout.config;
  const path = own !== undefined && sent.has(own) ? own : undefined;
  const reading =
    made === undefined
      ? await readConfigFile(folder, path, plan, unsavedText)
      : { path: 'config.xml', text: made.text };
  if (reading === undefined || 'code' in reading) {
    const others = plan === undefined ? [] : [pageFinding(undefined, plan.layout, sent)];
    return { findings: [...(reading === undefined ? [] : [reading]), ...others], facts: undefined };
  }
  return checkText(reading, project, sent);
}

async function checkText(
  { path: file, text }: ConfigText,
  { folder, plan }: CheckedProject,
  sent: ReadonlySet<string>,
): Promise<ConfigCheck> {
  const document = parseXml(text);
  const getLocation = createLocator(file, text);
  const origins = await findOrigins(folder, plan?.config);
  const page = { config: origins.get('content')?.path ?? file, path: getStartPage(document) };
  const begins = plan === undefined ? undefined : pageFinding(page, plan.layout, sent);
  const hasPage = begins?.verdict !== 'fails';
  const missing = await missingFiles(document, file, folder, plan, sent);
  const problems = isWidget(document) ? checkConfig(document, missing.absent) : rootProblems(document);
  const found = problems.flatMap((problem): readonly ProjectFinding[] => {
    const { code, message, next, file: named, span } = problem;
    const verdict = getVerdict(problem, hasPage);
    const reason = named === undefined ? undefined : missing.reasons.get(named);
    const location = origins.get(getValueName(problem)) ?? getLocation(span);
    const about = nounIn(text.slice(span.start, span.end));
    return verdict === undefined ? [] : [{ code, verdict, message, next, ...reason, location, about }];
  });
  const saysPage = begins?.verdict === 'fails' && found.some(({ code }) => code === 'startPageMissing');
  const findings = [
    ...(found.every(({ verdict }) => verdict === 'fine')
      ? [
          plan?.config === undefined
            ? fine('config', sentence('config.xml is well-formed and complete.'), {
                location: { path: file },
                short: sentence('complete'),
              })
            : await madeFinding(folder, plan.layout),
        ]
      : []),
    ...found,
    ...(begins === undefined || saysPage ? [] : [begins]),
  ];
  return { findings, facts: document.root?.name === 'widget' ? getConfigFacts(document, getLocation) : undefined };
}

/**
 * Returns a short name for a part of config.xml: its value, attribute, or element. Returns undefined if the part is too
 * long or is the whole file.
 */
function nounIn(part: string): string | undefined {
  const value = /^[\w:.-]+\s{0,9}=\s{0,9}["']([^"']+)["']$/.exec(part)?.[1];
  const element = /^<\/?([\w:.-]+)/.exec(part)?.[1];
  const noun = value ?? (element === undefined ? part.trim() : `<${element}>`);
  return noun === '' || noun === 'widget' || noun.length > MAX_NOUN_LENGTH || /[\r\n]/.test(noun) ? undefined : noun;
}

/** Maximum length of a row's label in characters. */
const MAX_NOUN_LENGTH = 60;

/** Returns the locations in the project's files that the values of a generated config.xml come from, keyed by name. */
async function findOrigins(
  folder: ProjectFolder,
  made: MadeConfig | undefined,
): Promise<ReadonlyMap<string | undefined, ProjectLocation>> {
  const origins = new Map<string, ProjectLocation>();
  for (const { name, value, from } of made?.values ?? []) {
    const path = formatSentence(from);
    const text = (await folder.isFile(path)) ? await folder.readText(path) : undefined;
    const location = findWords(path, text ?? '', value);
    if (location !== undefined) {
      origins.set(name, location);
    }
  }
  return origins;
}

/**
 * Returns the name of the value in a generated config.xml that a problem is about, or undefined if it isn't about such
 * a value.
 */
function getValueName({ code }: ConfigProblem): string | undefined {
  return /^(id|version|name)[A-Z]/.exec(code)?.[1];
}

async function madeFinding(folder: ProjectFolder, { kind }: ProjectLayout): Promise<ProjectFinding> {
  const message =
    kind === 'capacitor' && (await folder.isFile('config.xml'))
      ? sentence('Capacitor doesn’t read config.xml. The package gets one that’s generated from other files.')
      : sentence('No config.xml found. One will be generated.');
  return fine('configMissing', message, { location: { path: 'config.xml' }, short: sentence('generated') });
}

/** Returns the problems with a file that isn't a Cordova config.xml or has no elements. */
function rootProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { root, text } = document;
  const problems = syntaxProblems(document);
  if (root === undefined) {
    const empty = configError('malformed', { start: 0, end: text.length }, sentence('config.xml is empty.'), {
      next: sentence('Add a <widget> element with an id, a version, and a <name>.'),
    });
    return problems.length === 0 ? [empty] : problems;
  }
  const { name, nameSpan } = root;
  if (name === 'widget') {
    // The file is for Tizen or BlackBerry WebWorks, so a build uses only its ID, version, and name.
    const message = sentence('config.xml is for widgets of Tizen or BlackBerry, not for a Cordova app.');
    const next = sentence('Write one for Cordova, or rename this one to have one generated.');
    return [
      ...problems,
      configWarning('otherWidget', nameSpan, message, { next }),
      ...identityProblems(document, problems),
    ];
  }
  const message = sentence('The root element is <{0}>, not <widget>.', name);
  const next = sentence('Rename it, or remove the file if it isn’t the configuration of the app.');
  return [...problems, configError('wrongRoot', nameSpan, message, { next })];
}

/**
 * Returns the verdict for a config.xml problem, or undefined if the problem doesn't affect a build.
 *
 * @param hasPage whether the package contains a start page
 */
function getVerdict({ code, severity }: ConfigProblem, hasPage: boolean): FindingVerdict | undefined {
  if (code === 'idHyphen') {
    return 'fine';
  }
  // A file that a tool still has to create isn't an error in config.xml. However, it's missing from the package.
  if (severity === 'information' && code !== 'fileMissing') {
    return undefined;
  }
  return severity === 'error' && (code !== 'startPageMissing' || !hasPage) ? 'fails' : 'mayFail';
}

/**
 * Returns the files that config.xml refers to but the package doesn't contain. For those that exist on disk, also
 * returns why they're left out.
 *
 * @param config the path of config.xml
 * @throws CancelledError
 */
async function missingFiles(
  document: XmlDocument,
  config: string,
  folder: ProjectFolder,
  plan: CheckedProject['plan'],
  sent: ReadonlySet<string>,
): Promise<{ readonly absent: MissingFiles; readonly reasons: ReadonlyMap<string, LeftOutTexts> }> {
  const absent = new Map<string, MissingFile>();
  const reasons = new Map<string, LeftOutTexts>();
  const named = plan === undefined ? [] : projectFilesNamedIn(document, { ...plan.layout, config });
  const searched = createAppFolder(folder, plan?.layout);
  for (const file of named.filter(({ candidates }) => !candidates.some((candidate) => sent.has(candidate)))) {
    const absence = await findAbsence(file, searched);
    absent.set(file.path, absence ?? { isMade: false });
    const found = await Promise.all(absence === undefined ? file.candidates.map((each) => folder.isFile(each)) : []);
    const onDisk = file.candidates.find((_candidate, at) => found[at]);
    if (plan !== undefined && onDisk !== undefined) {
      reasons.set(file.path, leftOutReason(onDisk, plan));
    }
  }
  return { absent, reasons };
}

type LeftOutTexts = Pick<ProjectFinding, 'message' | 'next'>;

function leftOutReason(file: string, plan: Pick<PackagePlan, 'leftOut'>): LeftOutTexts {
  const rule = ruleAgainst(file, plan);
  return {
    message:
      rule === undefined
        ? sentence('{0} exists, but isn’t part of the package.', file)
        : sentence('{0} exists, but the rule “{1}” in {2} leaves it out.', file, rule.rule, rule.file),
    next: sentence('Add the line !{0} to .appbuildignore to include it.', file),
  };
}
