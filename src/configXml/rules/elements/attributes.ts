/** Attributes that several elements have. */
import { sentence, type Sentence } from '../../../api/errors/sentence.ts';
import type { AttributeRule } from '../rule.ts';
import { ICONS } from '../sources.ts';
import { oneOf, TEXT } from '../valueTypes.ts';

/** The platforms of today first, then those that Cordova and PhoneGap Build had, and those of others. */
export const PLATFORM_NAME = oneOf(
  ...['android', 'ios', 'browser', 'electron'],
  ...['windows', 'osx', 'winphone', 'wp8', 'wp7', 'windows8', 'win8', 'blackberry10', 'blackberry', 'ubuntu'],
  ...['amazon-fireos', 'firefoxos', 'tizen', 'webos', 'symbian', 'symbian.wrt', 'bada', 'mac', 'macos'],
  ...['chrome', 'pwa', 'openharmony'],
);

export const PLATFORM: AttributeRule = {
  name: 'platform',
  type: PLATFORM_NAME,
  description: sentence('The platform that the element is for. It is for all of them when it is missing.'),
  source: ICONS,
};

/** An attribute with any text. */
export function text(name: string, description: Sentence, source: string): AttributeRule {
  return { name, type: TEXT, description, source };
}

/** An attribute with any text, which the element needs. */
export function requiredText(name: string, description: Sentence, source: string): AttributeRule {
  return { name, type: TEXT, isRequired: true, description, source };
}
