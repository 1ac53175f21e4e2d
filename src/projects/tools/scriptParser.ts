import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type Program } from 'acorn';

declare module 'acorn' {
  /** Members of acorn's parser that its types leave out. */
  interface Parser {
    readonly pos: number;
    nextToken(): void;
    raise(position: number, message: string): never;
    declareName(name: string, kind: number, position: number): void;
    validateRegExpPattern(expression: { readonly source: string }): void;
  }
}

/** Cost of reading a text, and more for each character: the plugin tries several readings of `<a>(`, each of what is in there, too. */
const MAX_COST = 300_000;
const MAX_COST_OF_CHARACTER = 8;
/** Of a token, beside its characters. */
const TOKEN_COST = 20;
/** Of a reading that fails, beside that of counting the lines up to there. */
const ERROR_COST = 400;
/** Of a declaration, for each name declared before it: acorn looks through all of its scope. */
const DECLARED_NAME_COST = 0.2;
/** Of a regular expression, for each pair of its characters: acorn compares its groups with each other. */
const EXPRESSION_COST = 0.001;

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
    #declared = 0;

    override nextToken(): void {
      const from = this.pos;
      super.nextToken();
      this.#count(TOKEN_COST + Math.max(0, this.pos - from));
    }

    override raise(position: number, message: string): never {
      this.#count(ERROR_COST + position);
      super.raise(position, message);
    }

    override declareName(name: string, kind: number, position: number): void {
      this.#declared += 1;
      this.#count(DECLARED_NAME_COST * this.#declared);
      super.declareName(name, kind, position);
    }

    override validateRegExpPattern(expression: { readonly source: string }): void {
      this.#count(EXPRESSION_COST * expression.source.length ** 2);
      super.validateRegExpPattern(expression);
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
