import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Disposable } from '../../workbench/disposable.ts';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';
import { read } from '../../workbench/readStored.ts';
import {
  needsConsent,
  type PackagePlan,
  type SecretAnswer,
  type SuspectFile,
  withSuspects,
} from './packageContents.ts';
import { PackingError } from './packingError.ts';
import { baseName } from '../paths.ts';
import { suspicionOf } from './planSentences.ts';
import type { WebProject } from '../projectSearch.ts';

/** Followed by the address of a project. */
const KEY_PREFIX = 'secretAnswers ';

/** By paths. */
const SECRET_ANSWERS = z.record(
  z.string(),
  z.object({ secret: z.string(), fingerprint: z.optional(z.string()), answer: z.enum(['send', 'leaveOut']) }),
);

/**
 * The user's answers about files that may hold a secret, one by one. Kept for the workspace, on this machine: the paths
 * and kinds, and a short hash for what was found in a file, so that another secret in it is asked about again.
 */
export class SecretConsents extends Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when a file was allowed or refused. */
  readonly onDidChange = this.#changed.event;

  constructor(workspaceState: vscode.Memento) {
    super();
    this.#workspaceState = workspaceState;
  }

  /** The answer about a file with this secret; undefined when there is none, or the file holds another secret since. */
  answer(project: WebProject, { file, secret, fingerprint }: SuspectFile): SecretAnswer | undefined {
    const answers = this.#answers(project);
    const stored = Object.hasOwn(answers, file.path) ? answers[file.path] : undefined;
    return stored?.secret === secret && stored.fingerprint === fingerprint ? stored.answer : undefined;
  }

  /** Keeps an answer about this file; `leaveOut` takes a consent back, and the file is left out without a question. */
  async keep(project: WebProject, suspect: SuspectFile, answer: SecretAnswer): Promise<void> {
    await this.#keep(project, [[suspect, answer]]);
  }

  /** The plan with the files that are allowed among those that are sent. */
  applied(plan: PackagePlan): PackagePlan {
    return withSuspects(plan, (suspect) => this.answer(plan.project, suspect) === 'send');
  }

  /**
   * Asks, in one list, about the suspects that the upload would miss and about which there is no answer. What is not ticked
   * stays behind, in later uploads too.
   *
   * @returns the plan with what is allowed.
   * @throws CancelledError when the user closes the question; PackingError when nothing is left to send.
   */
  async confirm(plan: PackagePlan, input: Input): Promise<PackagePlan> {
    const open = this.open(plan);
    if (open.length > 0) {
      const items = open.map((suspect) => ({
        icon: 'lock',
        label: suspect.file.path,
        description: localised(suspicionOf(suspect)),
        suspect,
      }));
      const chosen = await input.pickSeveral(items, {
        title: vscode.l10n.t('Send Files That May Hold a Secret?'),
        placeholder: vscode.l10n.t('Select the files to send to the service. The others stay here.'),
        selected: [],
      });
      const ticked = new Set(chosen.map(({ suspect }) => suspect));
      await this.#keep(
        plan.project,
        open.map((suspect) => [suspect, ticked.has(suspect) ? 'send' : 'leaveOut']),
      );
    }
    return this.sendable(plan);
  }

  /** The suspects that the upload would miss and about which there is no answer. */
  open(plan: PackagePlan): readonly SuspectFile[] {
    return plan.suspects.filter((suspect) => needsConsent(suspect) && this.answer(plan.project, suspect) === undefined);
  }

  /** As {@link applied}. @throws PackingError when nothing is left to send. */
  sendable(plan: PackagePlan): PackagePlan {
    const confirmed = this.applied(plan);
    if (confirmed.files.length === 0) {
      throw PackingError.nothingToSend(baseName(plan.project.uri));
    }
    return confirmed;
  }

  #answers({ uri }: WebProject): z.infer<typeof SECRET_ANSWERS> {
    return read(SECRET_ANSWERS, this.#workspaceState.get(KEY_PREFIX + uri.toString())) ?? {};
  }

  async #keep(
    project: WebProject,
    given: readonly (readonly [suspect: SuspectFile, answer: SecretAnswer])[],
  ): Promise<void> {
    const answers = { ...this.#answers(project) };
    for (const [{ file, secret, fingerprint }, answer] of given) {
      answers[file.path] = { secret, ...(fingerprint !== undefined && { fingerprint }), answer };
    }
    await this.#workspaceState.update(KEY_PREFIX + project.uri.toString(), answers);
    this.#changed.fire();
  }
}
