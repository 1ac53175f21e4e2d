import type * as vscode from 'vscode';

/**
 * Base class of objects that register with VS Code. Disposing an object disposes everything it registered, in reverse
 * order.
 */
export abstract class Disposable implements vscode.Disposable {
  readonly #registered: vscode.Disposable[] = [];
  #disposed = false;

  /** Ties `disposable` to the lifetime of this object and returns it. */
  protected register<T extends vscode.Disposable>(disposable: T): T {
    if (this.#disposed) {
      disposable.dispose();
    } else {
      this.#registered.push(disposable);
    }
    return disposable;
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#registered.splice(0).reverse()) {
      disposable.dispose();
    }
  }
}
