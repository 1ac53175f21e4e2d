/** Lines that the tests' entry prints around them, so that the launcher can tell them from the workbench's own messages. */
export const testsBegin = '— integration tests —';
export const testsEnd = '— end of integration tests —';
