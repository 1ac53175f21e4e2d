import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writePackage } from '../../src/web-project/packing/packageFile.ts';
import type { PackagePlan } from '../../src/web-project/packing/packageContents.ts';
import { readAppFiles } from '../../src/android-package/config/appFiles.ts';
import { unpackPackage } from '../../src/build-service/builds/packages/uploadedPackage.ts';
import { verifyApk, type VerifiedApk } from './apk/verifyApk.ts';
import { testJob } from './buildJob.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

/** Packs a plan, unpacks it as the service does, and builds it for Android. @param folder folder for temporary files */
export async function buildPlan(plan: PackagePlan, folder: string): Promise<VerifiedApk> {
  const signal = new AbortController().signal;
  const work = await mkdtemp(path.join(folder, 'work-'));
  const [archive, unpacked] = [path.join(work, 'app.zip'), path.join(work, 'unpacked')];
  const packed = await writePackage(plan, {}, work);
  await writeFile(archive, packed.file.bytes());
  await packed.dispose();
  await mkdir(unpacked);
  await unpackPackage(archive, 'zip', unpacked, signal);
  const job = await testJob(work, { source: await readAppFiles(unpacked, 'android') });
  const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, signal);
  return verifyApk(await readFile(apk));
}
