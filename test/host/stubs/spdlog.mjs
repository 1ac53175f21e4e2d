/** Replaces VS Code's native log writer `@vscode/spdlog`. The Output panel shows a log channel by reading its file. */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

export class Logger {
  #file;
  #level = 2;
  #formatted = true;

  constructor(_type, _name, file) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
  }

  #write(level, message) {
    if (level < this.#level) {
      return;
    }
    const date = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.#file, this.#formatted ? `${date} [${LEVELS[level]}] ${message}\n` : message);
  }

  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#formatted = true;
  }
  clearFormatters() {
    this.#formatted = false;
  }
  flush() {}
  drop() {}
}

export const version = 0;
export const setLevel = () => {};
export const setFlushOn = () => {};
export const shutdown = () => {};
export const createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
export const createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
