import type { PreferenceRule } from '../rule.ts';
import { pluginPage } from '../sources.ts';

/** The preferences of a plugin, which its page explains. @param plugin its name in the registry of npm */
export function preferencesOf(
  plugin: string,
  preferences: readonly Omit<PreferenceRule, 'plugin' | 'source'>[],
): readonly PreferenceRule[] {
  return preferences.map((preference) => ({ ...preference, plugin, source: pluginPage(plugin) }));
}
