/** Lines around the tests' own output, by which the launcher tells it from what the workbench says about itself. */
export const TESTS_BEGIN = '— integration tests —';
export const TESTS_END = '— end of integration tests —';
