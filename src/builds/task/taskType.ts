/** The type of our tasks, as package.json declares it. */
export const TASK_TYPE = 'app-build';

/** The problem matcher of our tasks, as package.json declares it. */
export const PROBLEM_MATCHER = '$app-build';
