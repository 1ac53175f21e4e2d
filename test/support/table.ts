/** Formats records as a Markdown table. The keys of the first record are its columns. */
export function formatTable(records: readonly Readonly<Record<string, string>>[]): string {
  const columns = Object.keys(records[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...records.map((record) => (record[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...records.map((record) => line(columns.map((column) => record[column] ?? ''))),
  ].join('\n');
}
