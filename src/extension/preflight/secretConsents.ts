import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Disposable } from '../workbench/disposable.ts';
import type { Input } from '../workbench/input.ts';
import { localize } from '../workbench/notifications.ts';
import { read } from '../workbench/readStored.ts';
import {
  baseName,
  getSuspicionSentence,
  needsConsent,
  type PackagePlan,
  PackingError,
  type SecretAnswer,
  type SuspectFile,
  type WebProject,
  withSuspects,
} from '../../web-project/index.ts';

/** Prefix of the keys in the workspace state, followed by the project's URI. */
const KEY_PREFIX = 'secretAnswers ';

/** Answers, keyed by path. */
const SECRET_ANSWERS = z.record(
  z.string(),
  z.object({ secret: z.string(), fingerprint: z.optional(z.string()), answer: z.enum(['send', 'leaveOut']) }),
);

/**
 * The user's answers about files that may contain a secret, one per file, stored for the workspace on this computer. Each answer contains
 * the kind of secret and a short hash of the secrets found, so that the user is asked again about a different secret in the same file.
 */
export class SecretConsents extends Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when the user allows or rejects a file. */
  readonly onDidChange = this.#changed.event;

  constructor(workspaceState: vscode.Memento) {
    super();
    this.#workspaceState = workspaceState;
  }

  /**
   * Returns the answer about a file with this secret, or undefined if there is none or the file now contains another
   * secret.
   */
  getAnswer(project: WebProject, { file, secret, fingerprint }: SuspectFile): SecretAnswer | undefined {
    const answers = this.#answers(project);
    const stored = Object.hasOwn(answers, file.path) ? answers[file.path] : undefined;
    return stored?.secret === secret && stored.fingerprint === fingerprint ? stored.answer : undefined;
  }

  /** Saves an answer about this file. `leaveOut` revokes the consent and leaves the file out without asking again. */
  async setAnswer(project: WebProject, suspect: SuspectFile, answer: SecretAnswer): Promise<void> {
    await this.#keep(project, [[suspect, answer]]);
  }

  /** Returns the plan, including the files that the user has allowed. */
  applyTo(plan: PackagePlan): PackagePlan {
    return withSuspects(plan, (suspect) => this.getAnswer(plan.project, suspect) === 'send');
  }

  /**
   * Asks the user, in one list, about the suspects that the app may need and that have no answer yet. Unselected files
   * are left out, including from later uploads.
   *
   * @returns the plan with the allowed files
   * @throws CancelledError if the user closes the list
   * @throws PackingError if no files remain to send
   */
  async confirm(plan: PackagePlan, input: Input): Promise<PackagePlan> {
    const open = this.open(plan);
    if (open.length > 0) {
      const items = open.map((suspect) => ({
        icon: 'lock',
        label: suspect.file.path,
        description: localize(getSuspicionSentence(suspect)),
        suspect,
      }));
      const chosen = await input.pickSeveral(items, {
        title: vscode.l10n.t('Send Files That May Contain a Secret?'),
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

  /** Returns the suspects that the app may need and that have no answer yet. */
  open(plan: PackagePlan): readonly SuspectFile[] {
    return plan.suspects.filter(
      (suspect) => needsConsent(suspect) && this.getAnswer(plan.project, suspect) === undefined,
    );
  }

  /** Returns the plan of {@link applyTo}. @throws PackingError if no files remain to send */
  sendable(plan: PackagePlan): PackagePlan {
    const confirmed = this.applyTo(plan);
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
