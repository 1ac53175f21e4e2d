/** What an agent is told in place of an answer: what is wrong, and what to do next. In English, as all that agents read. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
