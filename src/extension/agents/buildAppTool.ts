import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { App } from '../apps/model/app.ts';
import { startBuild } from '../apps/builds/startBuild.ts';
import { requireOperation } from '../apps/model/operation.ts';
import { findWebProjects, getPlanSummary, planPackage, platformName } from '../../web-project/index.ts';
import { knownApp } from '../preflight/knownApp.ts';
import type { ProjectAnswers } from '../preflight/projectAnswers.ts';
import { localize } from '../workbench/notifications.ts';
import { listText } from '../workbench/texts.ts';
import { AgentTool, appInQuestion, folderInQuestion, quoteInQuestion } from './agentTool.ts';
import { MAX_QUESTION_MS } from './limits.ts';
import { findApp, refuseUnknown, namedFolder, findProject, quotedPath, type ToolAccount } from './toolSubjects.ts';
import { DATA_NOTE, oneLine, getLinkPath, shortList } from './report.ts';
import { flag, text, textOrNumber, texts, ToolError, toolInput } from './toolInput.ts';
import { UnattendedDecisions } from './unattendedDecisions.ts';

const SOURCE_ERROR =
  'must be "folder", to send and build the files of an open folder, or "service", to build the service\'s files again. Call again with one of them.';

const INPUT = toolInput(
  {
    /** Whether to send the folder's files first, or to build the files that the service already has. */
    source: z.enum(['folder', 'service'], SOURCE_ERROR),
    folder: text(),
    project: text(),
    app: textOrNumber(),
    create: flag(),
    platforms: texts(),
    ignore_check: flag(),
  },
  '{"source": "folder"}',
).check(
  z.refine(
    ({ source, app, create }) => !create || (source === 'folder' && app === undefined),
    '"create" creates an app from a folder, so it requires "source": "folder" and excludes "app". Call again with one or the other.',
  ),
);

type BuildAppInput = z.infer<typeof INPUT>;

interface StartedBuilds {
  readonly app: App;
  readonly platforms: readonly string[];
  readonly sent?: object;
}

const NEXT = 'The build is running. Call appBuild_read_build with this app.';

/** The tool `appBuild_build_app`. Works like *Build App* and *Build with Options…*, but asks for only one confirmation. */
export class BuildAppTool extends AgentTool<BuildAppInput> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Starting a build');
  protected override readonly question = {
    title: vscode.l10n.t('Build an App?'),
    otherwise: vscode.l10n.t('An agent wants to build an app.'),
  };

  protected async run(input: BuildAppInput, signal: AbortSignal): Promise<object> {
    const folder = input.source === 'folder' ? namedFolder(input.folder) : undefined;
    const account = await this.account(signal);
    const { app, platforms, sent } =
      folder === undefined
        ? await this.#buildAtService(input, account)
        : await this.#buildFolder(folder, input, account);
    return {
      app: getLinkPath(app.url),
      ...(folder !== undefined && { folder: oneLine(folder.name) }),
      ...sent,
      said_by_service: {
        title: this.asData(app.title),
        platforms: shortList(platforms, this.asData),
      },
      next: NEXT,
      note: DATA_NOTE,
    };
  }

  async #buildFolder(
    folder: vscode.WorkspaceFolder,
    { app: requested, project, platforms, create: mayCreate, ignore_check: ignoresCheck }: BuildAppInput,
    account: ToolAccount,
  ): Promise<StartedBuilds> {
    const { connection, signal, apps } = account;
    const { consents, folders } = apps;
    const link = folders.get(folder.uri, connection);
    if (link !== undefined && mayCreate) {
      throw new ToolError(
        `This folder is already linked to an app: ${quotedPath(getLinkPath(link.url))}. Call again without "create" to build that app.`,
      );
    }
    const named = requested === undefined ? undefined : await findApp(requested, account);
    if (platforms !== undefined) {
      const app = named ?? (link && (await findApp(link.url, account)));
      refuseUnknown(platforms, await platformsFor(app, account));
    }
    const decisions = new UnattendedDecisions({ connection, consents, app: named, mayCreate, ignoresCheck, project });
    const started = await apps.buildFolder(folder, {
      decisions,
      platforms,
      signal,
      // If the agent names another app, only this build uses it. The folder stays linked to its own app.
      app: link !== undefined && named !== undefined && named.url !== link.url ? named.url : undefined,
      // Suppresses the notifications that would show each step.
      report: () => undefined,
    });
    const { sent } = decisions;
    return {
      ...started,
      ...(sent !== undefined && {
        sent: { sent: { files: sent.files.length, bytes: sent.totalBytes, left_out: sent.leftOut.length } },
      }),
    };
  }

  async #buildAtService({ app: requested, platforms }: BuildAppInput, account: ToolAccount): Promise<StartedBuilds> {
    const { calls, signal, apps } = account;
    const app = await findApp(requested, account);
    requireOperation(app, 'build');
    if (platforms !== undefined) {
      refuseUnknown(platforms, await platformsFor(app, account));
    }
    return startBuild(apps, calls, app, platforms, { signal });
  }

  protected override async details(input: BuildAppInput): Promise<readonly string[]> {
    const platforms =
      input.platforms === undefined
        ? vscode.l10n.t('It’s built for all of the app’s platforms.')
        : vscode.l10n.t(
            'Platforms: {0}',
            listText(input.platforms.map((platform) => quoteInQuestion(platformName(platform)))),
          );
    const ignoring = input.ignore_check
      ? [vscode.l10n.t('It’s built even if the folder check finds that the build would fail.')]
      : [];
    return [...(await this.#subject(input)), platforms, ...ignoring];
  }

  async #subject(input: BuildAppInput): Promise<readonly string[]> {
    if (input.source === 'service') {
      const { host, appName: name } = await this.getQuestionSubject(input.app);
      return name === undefined
        ? []
        : [
            vscode.l10n.t(
              'The app “{0}” is built again at {1} from the files that the service already has.',
              name,
              host,
            ),
          ];
    }
    const service = this.dependencies.selection.current;
    const { answers, folders } = await this.dependencies.loadBuildServices();
    const folder = namedFolder(input.folder);
    const link = service && folders.get(folder.uri, { service });
    const host = service === undefined ? '' : service.url.host;
    const name =
      input.app === undefined ? link && appInQuestion(link) : (await this.getQuestionSubject(input.app)).appName;
    const folderName = quoteInQuestion(folderInQuestion(folder));
    const where = input.create
      ? vscode.l10n.t('The files in the folder {0} are sent to {1} as a new app.', folderName, host)
      : name === undefined
        ? vscode.l10n.t('The files in the folder {0} are sent to {1}.', folderName, host)
        : vscode.l10n.t('The files in the folder {0} are sent to {1} for the app “{2}”.', folderName, host, name);
    return [where, ...(await measureFolder(folder, input.project, answers))];
  }
}

async function platformsFor(app: App | undefined, { calls, signal }: ToolAccount): Promise<readonly string[]> {
  const own = app?.builds.map(({ platform }) => platform) ?? [];
  return own.length > 0 ? own : ((await calls.support({ signal }))?.platforms.map(({ platform }) => platform) ?? []);
}

/** Returns the number and total size of a folder's files. Returns undefined if that takes too long. */
async function measureFolder(
  folder: vscode.WorkspaceFolder,
  requested: string | undefined,
  answers: ProjectAnswers,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(MAX_QUESTION_MS);
  try {
    const projects = await findWebProjects(folder.uri, signal, answers.pages);
    const project = findProject(projects, requested, [answers.chosen(folder.uri)]);
    const known = knownApp(project, undefined, answers);
    const plan = await planPackage(project, { signal, answers: answers.pages, known });
    return [localize(getPlanSummary(plan))];
  } catch {
    return [];
  }
}
