/** A config.xml is read and checked, beside the strict parser that says whether it is well-formed. */
import { parseXml as parseStrictly } from '@rgrove/parse-xml';
import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import { NOT_WELL_FORMED } from '../../../src/configXml/configProblem.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { allAbsent } from '../../support/configXml.ts';
import { interleaved, timed, type Sample } from '../rounds.ts';
import { atMost, figure, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

/** Texts that are checked in one round; the fastest counts: a busy machine only adds. */
const TIMES = 7;

export const measure: Measure = async (rounds) => {
  const rows: Row[] = [];
  const texts = [
    { name: '500 lines', text: configOf((lines) => lines.length >= 500), limit: 5 },
    {
      name: '400 kB',
      text: configOf((_, length) => length > 400_000),
      limit: 50,
    },
  ];
  for (const { name, text, limit } of texts) {
    const check = (): void => {
      const document = parseXml(text);
      const problems = checkConfig(document, allAbsent(document));
      if (
        document.elements.length < 300 ||
        problems.some(({ code }) => NOT_WELL_FORMED.includes(code) || code === 'tooLarge')
      ) {
        throw new Error('The text is not what was to be checked.');
      }
    };
    const parse = (): void => void parseStrictly(text);
    // The code is compiled, as it is after a few letters that somebody typed.
    for (let warm = 0; warm < 5; warm += 1) {
      check();
      parse();
    }
    const { ours, peer } = await interleaved(rounds, { ours: () => fastest(check), peer: () => fastest(parse) });
    rows.push(
      atMost({ name: `configXml, ${name} is read and checked`, unit: 'ms', ours }, limit, {
        name: 'parse-xml alone',
        samples: peer,
      }),
    );
  }
  return rows;
};

async function fastest(work: () => void): Promise<Sample> {
  let best = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    best = Math.min(best, (await timed(work)).value);
  }
  return figure(best);
}

/** Three mistakes, and how often they are made. */
const MISTAKE =
  '  <preferense name="Orientation" value="portrait" allow="yes" />\n  <preference name="Orientatoin" value="landscape" />';
const MISTAKE_EVERY = 101;

/** Elements as they are in many a config.xml. */
const LINES: readonly string[] = [
  '  <preference name="DisallowOverscroll" value="true" />',
  '  <preference name="android-minSdkVersion" value="24" />',
  '  <!-- Where the app may go, and what it may load. Nothing else is reached, whatever a page asks for; see the guide of the allow list,',
  '       which also tells what each platform makes of an asterisk, and where a policy in the page itself has to say the same again. -->',
  '  <access origin="https://*.example.com" subdomains="true" />',
  '  <allow-navigation href="https://example.com/*?a=1&amp;b=2" />',
  '  <plugin name="cordova-plugin-camera" spec="^7.0.0"><variable name="ANDROID_SUPPORT" value="27.+" /></plugin>',
  '  <platform name="android">',
  '    <icon src="resources/android/icon/drawable-hdpi-icon.png" density="hdpi" />',
  '    <edit-config file="AndroidManifest.xml" target="/manifest/application" mode="merge">',
  '      <application android:usesCleartextTraffic="true" />',
  '    </edit-config>',
  '  </platform>',
  '  <allow-intent href="tel:*" />',
  '  <feature name="Vibration"><param name="ios-package" value="CDVVibration" /></feature>',
];

export function configOf(isEnough: (lines: readonly string[], length: number) => boolean): string {
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<widget id="com.example.app" version="1.0.0" xmlns="http://www.w3.org/ns/widgets" xmlns:android="http://schemas.android.com/apk/res/android">',
    '  <name>Example</name>',
  ];
  let length = lines.join('\n').length;
  for (let next = 1; !isEnough(lines, length); next += 1) {
    const line = LINES[next % LINES.length] ?? '';
    const added = next % MISTAKE_EVERY === 0 ? [MISTAKE, line] : [line];
    lines.push(...added);
    length += added.join('\n').length + 1;
  }
  while (LINES.indexOf(lines.at(-1) ?? '') >= 7 && LINES.indexOf(lines.at(-1) ?? '') <= 11) {
    lines.pop();
  }
  return `${lines.join('\n')}\n</widget>\n`;
}
