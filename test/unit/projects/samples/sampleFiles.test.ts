import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { plainText, valueAlone } from '../../../../src/api/errors/sentence.ts';
import { DiskTree } from '../../../../src/projects/projectFolder.ts';
import { diskContents } from '../../../../src/projects/packing/fileContents.ts';
import { planFolder } from '../../../../src/projects/packing/folderPlan.ts';
import { writePackage } from '../../../../src/projects/packing/packageFile.ts';
import { checkProjectConfig } from '../../../../src/projects/preflight/configCheck.ts';
import { packageFindings, planFor } from '../../../../src/projects/preflight/packageCheck.ts';
import { checkStartPage } from '../../../../src/projects/preflight/pageCheck.ts';
import { searchProjects } from '../../../../src/projects/projectSearch.ts';
import { sampleFiles, type SampleKind } from '../../../../src/projects/samples/sampleFiles.ts';
import type { Sample } from '../../../../src/projects/samples/sample.ts';
import { checkConfig } from '../../../../src/configXml/checkConfig.ts';
import { parseXml } from '../../../../src/configXml/xmlDocument.ts';
import { createBuiltinBuilder } from '../../../../src/localService/builds/builtin/builtinBuilder.ts';
import { unpackPackage } from '../../../../src/localService/builds/packages/unpackPackage.ts';
import { attributeOf, childrenOf } from '../../../support/apk/manifest.ts';
import { contentOf, verifyApk, type VerifiedApk } from '../../../support/apk/verifyApk.ts';
import { testJob } from '../../../support/buildJob.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';
import { addFiles, fileUri } from '../../../support/packing.ts';
import { SAMPLE_TEXTS } from '../../../support/sampleTexts.ts';

const NAMES: Readonly<Record<SampleKind, string>> = { page: 'Tally', pwa: 'Shopping List', cordova: 'Hello' };

describe('the sample projects', () => {
  let folder: string;
  folderOfEachTest((made) => (folder = made));

  /** Finds the only project of the folder, plans it as it is planned for an app with an ID, and checks that. */
  async function check(projectFolder: string) {
    const tree = new DiskTree(projectFolder);
    const [project, ...others] = await searchProjects(tree, fileUri(projectFolder));
    assert.deepEqual(others, []);
    assert.ok(project !== undefined);
    const known = {
      id: { value: 'com.example.app', from: valueAlone('The test') },
      title: { value: 'Another title', from: valueAlone('The test') },
      version: undefined,
      hasIcon: false,
    };
    const plan = await planFolder(tree, diskContents, project, { known });
    const config = await checkProjectConfig({ tree, plan, unsavedText: () => undefined });
    const findings = [
      ...config.findings,
      ...(await checkStartPage(tree, plan, config.facts?.startPage, undefined)),
      ...['builtin', undefined].flatMap((builder) =>
        packageFindings(planFor(plan, builder), { isAnswered: () => false, isLocalService: true }),
      ),
    ];
    return { project, plan, findings };
  }

  /** Packs, sends in a sense, and builds. */
  async function build({ plan }: Awaited<ReturnType<typeof check>>): Promise<VerifiedApk> {
    const signal = new AbortController().signal;
    const packed = await writePackage(plan, diskContents, {}, folder);
    const archive = path.join(folder, 'app.zip');
    await writeFile(archive, packed.file.bytes());
    await packed.dispose();
    const job = await testJob(folder);
    await unpackPackage(archive, 'zip', job.sourceFolder, signal);
    const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, signal);
    return verifyApk(await readFile(apk));
  }

  async function written({ files }: Sample): Promise<string> {
    const projectFolder = path.join(folder, 'project');
    await mkdir(projectFolder);
    await addFiles(
      projectFolder,
      Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])),
    );
    return projectFolder;
  }

  for (const [kind, name] of Object.entries(NAMES) as [SampleKind, string][]) {
    it(`has a project that is found, has nothing to complain about, and is built: ${kind}`, async () => {
      const sample = sampleFiles(kind, SAMPLE_TEXTS);
      const checked = await check(await written(sample));
      const { project, plan, findings } = checked;
      assert.deepEqual([project.layout.kind, project.layout.state.kind, project.name], [kind, 'built', name]);
      assert.deepEqual(plan.files.map((file) => file.path).sort(), Object.keys(sample.files).sort());
      assert.ok(sample.page in sample.files);
      assert.deepEqual(
        findings
          .filter(({ verdict }) => verdict !== 'fine')
          .map(({ code, message }) => `${code} ${plainText(message)}`),
        [],
      );
      const apk = await build(checked);
      const [application] = childrenOf(apk.manifest, 'application');
      assert.ok(application !== undefined);
      assert.equal(attributeOf(application, 'android:label')?.value, name);
      for (const [file, content] of Object.entries(sample.files).filter(([each]) => each !== 'config.xml')) {
        assert.ok(contentOf(apk, `assets/www/${file.replace(/^www\//, '')}`).equals(Buffer.from(content)), file);
      }
    });
  }

  it('escapes what the texts have of HTML', () => {
    const text = `<b title='a'>"&amp;"`;
    const texts = { ...SAMPLE_TEXTS, greeting: text, tally: text, whatToBuy: text };
    for (const kind of Object.keys(NAMES) as SampleKind[]) {
      const { files, page } = sampleFiles(kind, texts);
      const html = files[page];
      assert.ok(typeof html === 'string' && html.includes('&lt;b title=&apos;a&apos;&gt;&quot;&amp;amp;&quot;'));
      assert.ok(!html.includes('<b '));
    }
  });

  it('has a config.xml that an editor has nothing to say about', () => {
    const text = sampleFiles('cordova', SAMPLE_TEXTS).files['config.xml'];
    assert.ok(typeof text === 'string');
    assert.deepEqual(checkConfig(parseXml(text)), []);
  });

  it('has no handlers in its pages, and no address but relative ones', () => {
    for (const kind of Object.keys(NAMES) as SampleKind[]) {
      for (const [file, content] of Object.entries(sampleFiles(kind, SAMPLE_TEXTS).files)) {
        const text = file.endsWith('.html') ? content.toString() : '';
        assert.doesNotMatch(text, /\son\w+=|\s(?:href|src)="(?:\/|\w+:)|\sstyle=/, file);
      }
    }
  });

  it('has a service worker that keeps each file of its app', () => {
    const { files } = sampleFiles('pwa', SAMPLE_TEXTS);
    const kept = /const FILES = (\[[^\]]*\]);/.exec(files['service-worker.js']?.toString() ?? '')?.[1] ?? '';
    assert.deepEqual(
      (JSON.parse(kept.replaceAll("'", '"')) as string[]).sort(),
      ['./', ...Object.keys(files).filter((file) => file !== 'service-worker.js')].sort(),
    );
  });
});
