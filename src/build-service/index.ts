/** Runs the local service, with its own builders or a test’s. */
export { chooseBuilder } from './builds/chooseBuilder.ts';
export { runService } from './program.ts';
