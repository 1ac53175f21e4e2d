import type { SampleTexts } from '../../src/projects/samples/sample.ts';

/** What the sample projects say, outside of VS Code. */
export const SAMPLE_TEXTS: SampleTexts = {
  language: 'en',
  ...{ tally: 'Tally', oneMore: 'One more', oneLess: 'One less', startAgain: 'Start again' },
  ...{ shoppingList: 'Shopping List', shopping: 'Shopping', add: 'Add', remove: 'Remove' },
  shoppingListDescription: 'What is to be bought, also without a network',
  whatToBuy: 'What do you need?',
  nothingToBuy: 'Nothing to buy yet.',
  greeting: 'Hello from your first app!',
  ...{ waiting: 'Waiting for the device…', ready: 'The device is ready.', platform: 'Platform' },
};
