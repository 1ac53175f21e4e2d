import { Disposable } from '../workbench/disposable.ts';

/** Tells in the status bar, a week and a day before, that a key of a linked app expires. */
export class KeyExpiryWatch extends Disposable {}
