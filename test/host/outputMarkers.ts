/** Lines around the tests' own output. The launcher uses them to separate it from the workbench's output. */
export const TESTS_BEGIN = '— integration tests —';
export const TESTS_END = '— end of integration tests —';
