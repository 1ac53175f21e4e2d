import { type Sentence, sentence } from '../../errors/index.ts';
import { changeFix, type ConfigProblem, type ProblemFix } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import type { XmlAttribute } from '../markup.ts';
import { hasPlaceholder, toDisplayText } from '../widget.ts';
import type { AttributeRule, ValueType } from '../rules.ts';

interface ValueFault {
  readonly message: Sentence;
  /** The value that was probably meant, if that is clear. */
  readonly suggestion?: string | undefined;
}

const TRUE_WORDS = ['true', 'yes', 'on', '1', 'enabled'];
const FALSE_WORDS = ['false', 'no', 'off', '0', 'disabled'];

/** Matches `#RGB`, `#ARGB`, `#RRGGBB`, and `#AARRGGBB`. Platforms also accept `0x` instead of `#`. */
const COLOR = /^(?:#|0x)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** Color names that Android's `Color.parseColor` accepts, and CSS's `transparent`. */
const COLOR_NAMES: ReadonlySet<string> = new Set(
  (
    'black darkgray gray lightgray white red green blue yellow cyan magenta aqua fuchsia darkgrey grey lightgrey ' +
    'lime maroon navy olive purple silver teal transparent'
  ).split(' '),
);

/**
 * Checks a value of an attribute or a preference. Accepts any value that a platform may accept. `identity.ts` checks
 * identifiers.
 *
 * @returns undefined for a valid value
 */
export function valueFault(type: ValueType, value: string): ValueFault | undefined {
  if (hasPlaceholder(value)) {
    return undefined;
  }
  const trimmed = value.trim();
  const found = findFault(type, trimmed);
  const mayHaveSpace = type.kind === 'text' || type.kind === 'identifier' || trimmed === '';
  if (found !== undefined || mayHaveSpace || trimmed === value) {
    return found;
  }
  return {
    message:
      type.kind === 'foreign'
        ? sentence('The white space before or after the value is part of it.')
        : sentence('The value can’t begin or end with white space.'),
    suggestion: trimmed,
  };
}

function findFault(type: ValueType, value: string): ValueFault | undefined {
  switch (type.kind) {
    case 'text':
    case 'name':
    case 'foreign':
    case 'identifier':
      return undefined;
    case 'boolean': {
      const word = value.toLowerCase();
      return unless(
        value === 'true' || value === 'false',
        sentence('The value must be true or false, not “{0}”.', toDisplayText(value)),
        TRUE_WORDS.includes(word) ? 'true' : FALSE_WORDS.includes(word) ? 'false' : undefined,
      );
    }
    case 'integer':
      return integerFault(value, type.min, type.max);
    case 'decimal':
      return unless(
        /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value),
        sentence('The value must be a number such as 0.5, not “{0}”.', toDisplayText(value)),
        /^-?\d+,\d+$/.test(value) ? value.replace(',', '.') : undefined,
      );
    case 'choice':
      return type.isQualified === true
        ? qualifiedFault(type, value)
        : type.isList === true
          ? listFault(type, value)
          : choiceFault(type, value);
    case 'color':
      return unless(
        COLOR.test(value) || COLOR_NAMES.has(value.toLowerCase()),
        sentence('The value must be a color such as #3366FF, not “{0}”.', toDisplayText(value)),
        COLOR.test(`#${value}`) ? `#${value}` : undefined,
      );
    case 'path':
      return value === ''
        ? { message: sentence('The name of the file is missing.') }
        : unless(
            !value.includes('\\'),
            sentence('The folders of “{0}” must be separated by /.', toDisplayText(value)),
            value.replaceAll('\\', '/'),
          );
    case 'origin':
      // An empty address doesn't permit anything, so a fix must not permit everything.
      return value === ''
        ? { message: sentence('The address is missing. Use * for any address.') }
        : unless(
            !/[\s,;]/.test(value),
            sentence('“{0}” contains several addresses. Use one element for each.', toDisplayText(value)),
          );
    case 'url':
      return unless(
        value === '' || URL.canParse(value),
        sentence('“{0}” isn’t an address such as https://example.com.', toDisplayText(value)),
        /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(value) ? `https://${value}` : undefined,
      );
    case 'appScheme':
      // CDVWebViewEngine.m of cordova-ios replaces schemes that WKWebView handles.
      return unless(
        !/^https?$/i.test(value),
        sentence('iOS doesn’t accept the scheme “{0}” for an app, so Cordova uses “{1}”.', toDisplayText(value), 'app'),
        'app',
      );
    case 'email':
      return unless(
        /^$|^[^\s@]+@[^\s@]+$/.test(value),
        sentence('“{0}” isn’t an email address.', toDisplayText(value)),
      );
    case 'version':
      return unless(
        /^\d+(?:\.\d+)*$/.test(value),
        sentence('The value must be numbers separated by dots, such as 1.0.0, not “{0}”.', toDisplayText(value)),
        /^v(\d+(?:\.\d+)*)$/i.exec(value)?.[1],
      );
  }
}

function unless(isRight: boolean, message: Sentence, suggestion?: string): ValueFault | undefined {
  return isRight ? undefined : { message, suggestion };
}

function integerFault(value: string, min = -Infinity, max = Infinity): ValueFault | undefined {
  if (!/^-?\d+$/.test(value)) {
    return {
      message: sentence('The value must be a whole number, not “{0}”.', toDisplayText(value)),
      // Numbers in config.xml are in milliseconds or pixels.
      suggestion: /^(-?\d+)(?:\.0+)?(?: ?ms| ?px)?$/i.exec(value)?.[1],
    };
  }
  return Number(value) < min
    ? { message: sentence('The number {0} is too small. The minimum is {1}.', toDisplayText(value), String(min)) }
    : unless(
        Number(value) <= max,
        sentence('The number {0} is too large. The maximum is {1}.', toDisplayText(value), String(max)),
      );
}

type ChoiceType = Extract<ValueType, { kind: 'choice' }>;

/**
 * Returns the problem with Android resource qualifiers. Because many qualifiers exist, a value is reported only if it
 * doesn't contain any valid one.
 */
function qualifiedFault(type: ChoiceType, value: string): ValueFault | undefined {
  const words = value.split('-');
  if (words.some((word) => type.values.includes(word))) {
    return undefined;
  }
  for (const [index, word] of words.entries()) {
    const found = choiceFault(type, word);
    if (found?.suggestion !== undefined) {
      return { ...found, suggestion: words.with(index, found.suggestion).join('-') };
    }
  }
  return undefined;
}

/** Returns the problem with the first invalid item of a list. */
function listFault(type: ChoiceType, value: string): ValueFault | undefined {
  const faults = value.split(',').map((word) => choiceFault(type, word.trim()));
  const found = faults.find((each) => each !== undefined);
  return found && (faults.length === 1 ? found : { message: found.message });
}

function choiceFault({ values, ignoresCase = false }: ChoiceType, value: string): ValueFault | undefined {
  const sameLetters = values.find((name) => name.toLowerCase() === value.toLowerCase());
  const suggestion = sameLetters ?? didYouMean(value, values);
  return unless(
    values.includes(value) || (ignoresCase && sameLetters !== undefined),
    suggestion === undefined
      ? sentence(
          '“{0}” isn’t a valid value. Use one of these: {1}',
          toDisplayText(value),
          toDisplayText(values.join(', ')),
        )
      : sentence('“{0}” isn’t a valid value. Did you mean “{1}”?', toDisplayText(value), suggestion),
    suggestion,
  );
}

/** Returns the fix that replaces the value between the quotes. Returns an empty array if there's no suggestion. */
export function valueFixes({ valueSpan }: XmlAttribute, suggestion: string | undefined): readonly ProblemFix[] {
  if (valueSpan === undefined || suggestion === undefined) {
    return [];
  }
  const escaped = suggestion.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return [changeFix(valueSpan, escaped, sentence('Change to “{0}”', toDisplayText(suggestion)))];
}

/** Returns the problem for an attribute with an invalid value, or undefined if it's valid. */
export function valueProblem(
  { type, source }: Pick<AttributeRule, 'type' | 'source'>,
  attribute: XmlAttribute,
): ConfigProblem | undefined {
  const fault = valueFault(type, attribute.value);
  if (fault === undefined) {
    return undefined;
  }
  // Most platforms ignore case.
  const isCaseOnly = fault.suggestion?.toLowerCase() === attribute.value.toLowerCase();
  return {
    code: 'badValue',
    severity: type.kind === 'foreign' || isCaseOnly ? 'information' : 'warning',
    span: attribute.span,
    message: fault.message,
    fixes: valueFixes(attribute, fault.suggestion),
    source,
  };
}
