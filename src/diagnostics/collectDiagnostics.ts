import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Redactor } from '../api/redaction.ts';
import type { Connections } from '../auth/connection.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import type { LocalService } from '../localServiceHost/localService.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Log } from '../workbench/log.ts';
import { Network } from '../workbench/network.ts';
import { anonymise, markdownOf, type Block, type Fact, type Section } from './report.ts';
import { certificateFacts, environmentFacts, settingFacts, variableFacts, type Manifest } from './environmentFacts.ts';
import { identifyingTexts } from './identifyingTexts.ts';
import { failureKind, callTable, failureTable } from './knownWords.ts';
import {
  accountFacts,
  answerFacts,
  localServiceFacts,
  proxyFacts,
  registrationFacts,
  serviceFacts,
} from './serviceFacts.ts';

interface DiagnosticsDependencies {
  /** This one, as VS Code knows it. */
  readonly extension: vscode.Extension<unknown>;
  readonly configuration: Configuration;
  readonly connections: Connections;
  readonly localService: LocalService;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly selection: ServiceSelection;
  /** Facts of the rooms above, without names. */
  readonly countsAt: (service: Service) => readonly Fact[];
}

/** Milliseconds for the whole report: a little more than the service has for its answer. */
const TOTAL_TIMEOUT_MS = 16_000;

/** A section, and what finds its contents. */
type Part = readonly [title: string, gather: () => readonly Block[] | Promise<readonly Block[]>];

/**
 * Gathers what helps to find out why the extension does not work, without secrets and without what identifies a person, a
 * company or a computer. Starts nothing, and sends no credentials. What cannot be found out says so in its section.
 *
 * @returns Markdown.
 * @throws CancelledError when the signal aborts.
 */
export async function collectDiagnostics(dependencies: DiagnosticsDependencies, signal: AbortSignal): Promise<string> {
  const { redactor, selection } = dependencies;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_TIMEOUT_MS)]);
  const chosen = chosenService(selection);
  const identifying = await unlessAborted(identifyingTexts(chosen.service, dependencies), limit, []);
  const parts = partsOf(dependencies, chosen, limit);
  const sections = await Promise.all(parts.map((part) => sectionOf(part, limit)));
  if (signal.aborted) {
    throw new CancelledError();
  }
  return anonymise(
    markdownOf({
      title: 'Application Build Service: diagnostics',
      introduction: vscode.l10n.t(
        'Read this report before you send it to anybody. Passwords, tokens, addresses and names are left out of it.',
      ),
      sections,
      next: vscode.l10n.t(
        'Attach this report to an issue, with what you did and what you expected. The log has more details; addresses and names are in it.',
      ),
    }),
    identifying,
    redactor,
  );
}

/** The service in use; without one, why there is none. */
type ChosenService = { readonly service: Service } | { readonly service: undefined; readonly reason: string };

function chosenService(selection: ServiceSelection): ChosenService {
  try {
    const service = selection.current;
    return service === undefined ? { service, reason: 'none is chosen' } : { service };
  } catch (error) {
    return { service: undefined, reason: `the setting cannot be used: ${failureKind(error)}` };
  }
}

function partsOf(dependencies: DiagnosticsDependencies, chosen: ChosenService, limit: AbortSignal): readonly Part[] {
  const { extension, connections, localService, log } = dependencies;
  const manifest = extension.packageJSON as Manifest;
  const network = new Network({ info: () => undefined, warn: () => undefined });
  const now = Date.now();
  // The calls that follow are the report's own.
  const { recentCalls, recentFailures } = log;
  const atService = (gather: (service: Service) => Promise<readonly Block[]>) => () =>
    chosen.service === undefined ? [facts([['Service', chosen.reason]])] : gather(chosen.service);
  return [
    ['Versions', () => [facts(environmentFacts(extension))]],
    [
      'Service',
      atService(async (service) => [
        facts([
          ...serviceFacts(service),
          ...(await accountFacts(service, connections)),
          ...(await registrationFacts(service)),
          ...dependencies.countsAt(service),
        ]),
      ]),
    ],
    [
      'The way to the service',
      atService(async ({ url }) => [
        facts([...(await answerFacts(url, connections, limit)), ...(await proxyFacts(url, network))]),
      ]),
    ],
    ['Latest calls', () => [callTable(recentCalls, now)]],
    ['Latest failures', () => [failureTable(recentFailures, now, commandIds(manifest))]],
    ['Certificates', async () => [facts(await certificateFacts(network))]],
    ['Settings', () => [facts([...settingFacts(manifest), ...variableFacts(process.env)])]],
    ['Local service', async () => [facts(await localServiceFacts(localService))]],
    ['Tools for agents', () => [facts(toolFacts(manifest))]],
  ];
}

async function sectionOf([title, gather]: Part, limit: AbortSignal): Promise<Section> {
  const gathered = async () => gather();
  const blocks = gathered().catch((error: unknown) => [note(`This could not be found out: ${failureKind(error)}`)]);
  return { title, blocks: await unlessAborted(blocks, limit, [note('This was not found out in time.')]) };
}

/** The result of a promise; something else when the signal aborts first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  const aborted = new Promise<T>((resolve) => {
    const end = () => resolve(otherwise);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
  });
  return Promise.race([promise, aborted]);
}

function note(text: string): Block {
  return { kind: 'text', text };
}

function facts(list: readonly Fact[]): Block {
  return { kind: 'facts', facts: list };
}

function commandIds({ contributes }: Manifest): readonly string[] {
  return contributes.commands.map(({ command }) => command);
}

function toolFacts({ contributes }: Manifest): readonly Fact[] {
  const names = contributes.languageModelTools.map(({ name }) => name);
  const registered = vscode.lm.tools.filter(({ name }) => names.includes(name)).length;
  return [['Tools that VS Code knows', `${registered} of ${names.length}`]];
}
