/** A small app that can be built as it is. */
export interface Sample {
  /** What its folder is called. */
  readonly folder: string;
  /** The page that it begins with, below its folder. */
  readonly page: string;
  /** What is in its files, by their paths below its folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** What the apps show, in the language of the person. */
export interface SampleTexts {
  /** Of all the others, as HTML names it. */
  readonly language: string;

  readonly tally: string;
  readonly oneMore: string;
  readonly oneLess: string;
  readonly startAgain: string;

  readonly shoppingList: string;
  /** Short for it, below an icon. */
  readonly shopping: string;
  readonly shoppingListDescription: string;
  readonly whatToBuy: string;
  readonly add: string;
  readonly remove: string;
  readonly nothingToBuy: string;

  readonly greeting: string;
  readonly waiting: string;
  readonly ready: string;
  readonly platform: string;
}
