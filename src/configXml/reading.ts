import * as wellFormed from './checks/wellFormed.ts';
import type { ProblemList } from './problemList.ts';
import { resolveReferences } from './xmlReferences.ts';
import { isBlank, withoutSpace } from './xmlSyntax.ts';
import type { TreeBuilder } from './xmlTree.ts';

/** Where reading goes on behind a mistake. */
export interface Resumption {
  readonly position: number;
  /** `inTag`: the next is an attribute, or the end of the start tag. `inName`: it is the name of a tag. */
  readonly state: 'text' | 'inTag' | 'inName';
}

/** A text that is being read: how far, what was found in it, and where to go on. */
export class Reading {
  readonly text: string;
  readonly problems: ProblemList;
  readonly tree: TreeBuilder;
  /** Behind the last token. */
  end = 0;
  readonly #stop: () => void;
  #resumption: Resumption | undefined;
  #hasTextOutside = false;

  /** @param stop is called when what follows is of no use, because reading goes on elsewhere. */
  constructor(text: string, problems: ProblemList, tree: TreeBuilder, stop: () => void) {
    this.text = text;
    this.problems = problems;
    this.tree = tree;
    this.#stop = stop;
  }

  /** False when reading goes on elsewhere, or has ended. */
  get isActive(): boolean {
    return this.#resumption === undefined && !this.problems.isFull;
  }

  resumeAt(position: number, state: Resumption['state'] = 'text'): void {
    this.#resumption = { position, state };
    this.#stop();
  }

  /** Where to go on, once. */
  takeResumption(): Resumption | undefined {
    const resumption = this.#resumption;
    this.#resumption = undefined;
    return resumption;
  }

  /** Only white space may stand outside of the root element. */
  checkOutside(start: number, end: number): void {
    if (!this.tree.isInside && !this.#hasTextOutside && !isBlank(this.text.slice(start, end))) {
      this.#hasTextOutside = true;
      this.problems.add(wellFormed.textOutside(withoutSpace(this.text, { start, end })));
    }
  }

  /** Tells a `<` that begins no tag, and takes it for text. @param end behind what seems to belong to it. */
  looseLessThan(start: number, end: number): void {
    if (this.tree.isInside) {
      this.problems.add(wellFormed.looseLessThan(start));
      this.tree.addText('<', start, start + 1);
    } else {
      this.checkOutside(start, end);
    }
  }

  /** Resolves the references of a text, and tells those that cannot be. */
  resolve(start: number, text: string): string {
    return text.includes('&') ? resolveReferences(text, start, (problem) => this.problems.add(problem)) : text;
  }
}
