/** Runs the local service with its own builders, or with a test's builder. */
export { chooseBuilder } from './builds/chooseBuilder.ts';
export { runService } from './program.ts';
