import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

/** A way in which text looks different, by the colours of the theme. It shows nothing that is not in the document. */
interface TextStyleOptions {
  /** Name of a theme colour. */
  readonly colour?: string;
  /** Name of a theme colour. */
  readonly background?: string;
  readonly weight?: 'bold';
  readonly slant?: 'italic';
  readonly line?: 'underline';
}

/** Styles for parts of editors' texts. VS Code knows each kind of decoration once: they are made when they are first used. */
export class TextStyles extends Disposable {
  readonly #types = new Map<string, vscode.TextEditorDecorationType>();

  /** The kind of decoration for a name; the same for the same name. */
  type(name: string, options: TextStyleOptions): vscode.TextEditorDecorationType {
    const known = this.#types.get(name);
    if (known !== undefined) {
      return known;
    }
    const { colour, background, weight, slant, line } = options;
    const type = this.register(
      vscode.window.createTextEditorDecorationType({
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        ...(colour !== undefined && { color: new vscode.ThemeColor(colour) }),
        ...(background !== undefined && { backgroundColor: new vscode.ThemeColor(background) }),
        ...(weight !== undefined && { fontWeight: weight }),
        ...(slant !== undefined && { fontStyle: slant }),
        ...(line !== undefined && { textDecoration: line }),
      }),
    );
    this.#types.set(name, type);
    return type;
  }
}
