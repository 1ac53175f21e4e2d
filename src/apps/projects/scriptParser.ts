import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type Program } from 'acorn';

declare module 'acorn' {
  /** What acorn has, and its types leave out. */
  interface Parser {
    readonly pos: number;
    nextToken(): void;
    raise(position: number, message: string): never;
  }
}

/** Cost of reading a text, and more for each character: the plugin tries several readings of `<a>(`, each of what is in there, too. */
const MAX_COST = 300_000;
const MAX_COST_OF_CHARACTER = 8;
/** Of a token, beside its characters. */
const TOKEN_COST = 20;
/** Of a reading that fails, beside that of counting the lines up to there. */
const ERROR_COST = 400;

/** The text is read no further. */
class TooMuchError extends Error {}

/**
 * Reads JavaScript, or TypeScript. Imported lazily: few configurations are scripts.
 *
 * @throws SyntaxError, RangeError for what is nested too deep, TooMuchError
 */
export function parseScript(text: string, isTypeScript: boolean): Program {
  if (isTypeScript) {
    return TypeScriptParser.parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  }
  try {
    return JavaScriptParser.parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    // A CommonJS module may hold what strict code may not.
    return JavaScriptParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
    });
  }
}

/** Ends what would take exponentially long. */
function limited(BaseParser: typeof Parser): typeof Parser {
  return class extends BaseParser {
    #cost = 0;

    override nextToken(): void {
      const from = this.pos;
      super.nextToken();
      this.#count(TOKEN_COST + Math.max(0, this.pos - from));
    }

    override raise(position: number, message: string): never {
      this.#count(ERROR_COST + position);
      super.raise(position, message);
    }

    #count(cost: number): void {
      this.#cost += cost;
      if (this.#cost > MAX_COST + MAX_COST_OF_CHARACTER * this.input.length) {
        throw new TooMuchError();
      }
    }
  };
}

const JavaScriptParser = Parser.extend(limited);
const TypeScriptParser = Parser.extend(tsPlugin(), limited);
