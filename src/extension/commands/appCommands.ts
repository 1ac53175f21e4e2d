import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import type { FormField } from '../../service-client/index.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import type { FieldValues } from '../apps/calls/operationRequest.ts';
import type { App } from '../apps/model/app.ts';
import { getBoolean, hasMember, textMember } from '../apps/model/members.ts';
import { findOperation, requireOperation } from '../apps/model/operation.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { getUriPath } from '../apps/builds/chooseApp.ts';
import { watchChange } from '../apps/builds/startBuild.ts';
import type { CommandDependencies } from './dependencies.ts';
import { deleteEach, selectedRows } from './severalRows.ts';
import { askForValue, packageQuestion, readyToSend, withUploadProgress } from './wizard/formFields.ts';
import { askForApp } from './wizard/subject.ts';
import { chooseFolder } from '../preflight/chooseProject.ts';
import type { UploadFile } from '../resources/requests/multipart.ts';
import { BackError, type Input, requireAnswer } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/texts.ts';

/** Changes an app's details or uploads another package. Asks the user which to do, unless the service offers only one. */
export async function updateApp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input } = dependencies;
  const title = vscode.l10n.t('Update App');
  const { app, calls } = await askForApp(dependencies, argument, title);
  const offers = (name: 'update' | 'upload') => findOperation(app.resource, name, undefined, app.url) !== undefined;
  const details = {
    icon: 'edit',
    label: vscode.l10n.t('Details…'),
    detail: vscode.l10n.t('Title, description, and build options.'),
    run: async () => {
      const fields = await askForDetails(input, app);
      const changed = await withCallProgress(vscode.l10n.t('Updating “{0}”', app.title), (signal) =>
        calls.update(app, fields, { signal }),
      );
      showChange(dependencies, app, changed);
    },
  };
  const folder = {
    icon: 'folder',
    label: vscode.l10n.t('Upload This Folder…'),
    description: vscode.workspace.workspaceFolders?.map(({ name }) => name).join(', ') ?? '',
    run: async () => {
      await apps.buildFolder(await chooseFolder(input, title), { app: app.url });
      apps.presenter.changed(app.url);
    },
  };
  const file = {
    icon: 'file-zip',
    label: vscode.l10n.t('Upload a Zip File…'),
    run: async () => {
      const uri = await input.openFile(packageQuestion(vscode.l10n.t('Package for “{0}”', app.title)));
      const upload = await readyToSend(requireAnswer(uri));
      const changed = await withUploadProgress(upload, (options) => calls.upload(app, upload, options));
      showChange(dependencies, app, changed);
    },
  };
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const items = [
    ...(offers('update') ? [details] : []),
    ...(offers('upload') ? [...(hasFolder ? [folder] : []), file] : []),
  ];
  if (items.length === 0) {
    throw new OperationNotOfferedError(app.title);
  }
  const chosen = await input.pickUnlessOne(items, {
    title: vscode.l10n.t('Update “{0}”', app.title),
    placeholder: vscode.l10n.t('What do you want to change?'),
  });
  await chosen.run();
}

/** Asks the service to pull an app's Git repository. */
export async function pullApp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { app, calls } = await askForApp(dependencies, argument, vscode.l10n.t('Pull from Repository'));
  if (app.repository === undefined) {
    throw new InvalidInputError(
      sentence('“{0}” isn’t built from a repository.', app.title),
      sentence('Upload a folder or a zip file with Update App.'),
    );
  }
  const pulled = await withCallProgress(vscode.l10n.t('The service fetches the repository'), (signal) =>
    calls.pull(app, { signal }),
  );
  showChange(dependencies, app, pulled);
}

/** Signature of PNG files (PNG, Third Edition, §5.2). */
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Changes an app's icon. Services accept only PNG files and rebuild the app with the new icon. */
export async function setAppIcon(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { app, calls } = await askForApp(dependencies, argument, vscode.l10n.t('Change App Icon'));
  requireOperation(app, 'upload-icon');
  const uri = await dependencies.input.openFile({
    title: vscode.l10n.t('Choose an Icon (PNG) for “{0}”', app.title),
    openLabel: vscode.l10n.t('Choose Icon'),
    filters: { [vscode.l10n.t('PNG Images')]: ['png'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  const file = await readyToSend(requireAnswer(uri));
  if (!(await isPng(file))) {
    throw new InvalidInputError(
      sentence('{0} isn’t a PNG file.', file.name),
      sentence('Choose a square PNG file, about 1024 pixels wide.'),
    );
  }
  const changed = await withUploadProgress(file, (options) => calls.setIcon(app, file, options));
  showChange(dependencies, app, changed);
}

async function isPng({ bytes }: UploadFile): Promise<boolean> {
  for await (const piece of bytes()) {
    return PNG_SIGNATURE.equals(piece.subarray(0, PNG_SIGNATURE.length));
  }
  return false;
}

/**
 * Reports a change to an app and watches the builds that the change started.
 *
 * @param before the app before the change.
 * @param after the app in the service's response.
 */
function showChange({ apps, notifications }: CommandDependencies, before: App, after: App): void {
  watchChange(apps, before, after);
  notifications.done(vscode.l10n.t('“{0}” was updated.', after.title));
}

/** Lists an app's details with their values. The user can change them in any order before saving. @returns the changed fields. */
async function askForDetails(input: Input, app: App): Promise<FieldValues> {
  const title = vscode.l10n.t('Update “{0}”', app.title);
  const fields = getDetails(app);
  const before = new Map(
    fields.map((field) => [field, isBoolean(field) ? String(field.value === 'true') : field.value]),
  );
  const values = new Map(before);
  let latest: FormField | undefined;
  for (;;) {
    const changed = fields.filter((field) => values.get(field) !== before.get(field));
    const save = { icon: 'save', label: vscode.l10n.t('Save'), description: changed.map(getFieldTitle).join(', ') };
    const items = [
      ...(changed.length === 0 ? [] : [{ ...save, field: undefined }]),
      ...fields.map((field) => ({
        icon: changed.includes(field) ? 'edit' : 'circle-small',
        label: getFieldTitle(field),
        description: shownValue(field, values.get(field)),
        ...(changed.includes(field) && { detail: vscode.l10n.t('Was: {0}', shownValue(field, before.get(field))) }),
        field,
      })),
    ];
    const { field } = await input.pick(items, {
      title,
      placeholder: vscode.l10n.t('What do you want to change?'),
      active: items.find((item) => item.field === latest),
      ignoreFocusOut: true,
    });
    if (field === undefined) {
      return Object.fromEntries(
        changed.map((each) => [each.name, isBoolean(each) ? values.get(each) === 'true' : (values.get(each) ?? '')]),
      );
    }
    latest = field;
    try {
      const value = values.get(field) ?? '';
      // Selecting a boolean toggles it. For any other value, an input box opens.
      const changedValue = isBoolean(field)
        ? String(value !== 'true')
        : await askForValue(field, value, { title, back: true }, input);
      values.set(field, changedValue);
    } catch (error) {
      if (!(error instanceof BackError)) {
        throw error;
      }
    }
  }
}

/** Returns the fields of the update form. If the service offers no form, returns those that PhoneGap Build accepted. */
function getDetails({ title, resource }: App): readonly (FormField & { readonly value: string })[] {
  const form = resource.forms.find(({ name }) => name === 'update' || name === 'edit');
  const shown = form?.fields.filter(({ type }) => !['hidden', 'submit', 'file', 'password'].includes(type ?? ''));
  const flag = (name: string, caption: string) => ({
    ...{ name, title: caption, type: 'checkbox' },
    value: String(getBoolean(resource, name) ?? false),
  });
  const documented = [
    { name: 'title', title: vscode.l10n.t('Title'), value: title, required: true },
    { name: 'description', title: vscode.l10n.t('Description'), value: textMember(resource, 'description') },
    ...[
      flag('private', vscode.l10n.t('Private')),
      flag('debug', vscode.l10n.t('Debug')),
      flag('hydrates', vscode.l10n.t('Hydration')),
    ].filter(({ name }) => hasMember(resource, name)),
  ];
  return (shown ?? documented).map((field) => ({ ...field, value: field.value ?? '' }));
}

function getFieldTitle({ name, title = name }: FormField): string {
  return title;
}

function shownValue({ options, ...field }: FormField, value = ''): string {
  if (isBoolean(field)) {
    return value === 'true' ? vscode.l10n.t('yes') : vscode.l10n.t('no');
  }
  const option = options?.find((each) => each.value === value);
  return option?.title ?? (value === '' ? vscode.l10n.t('(empty)') : value);
}

function isBoolean({ type }: Pick<FormField, 'type'>): boolean {
  return type === 'checkbox' || type === 'boolean';
}

/** Deletes an app, or the apps of the selected rows, if the user agrees. Also deletes everything that this extension stores about them. */
export async function deleteApps(
  dependencies: CommandDependencies,
  argument: unknown,
  selected?: unknown,
): Promise<void> {
  const { connections, apps } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.createCalls(connection);
  await deleteEach(dependencies, selectedRows(argument, selected, /^app;(.*;)?delete;/), {
    askForOne: async () => {
      const { app } = await askForApp(dependencies, argument, vscode.l10n.t('Delete App'));
      requireOperation(app, 'delete');
      return [app.url, app.title];
    },
    // An app can have two rows: its own and that of its linked folder.
    getRowName: (row) => (row instanceof AppNode ? [row.url, getAppTitle(row)] : undefined),
    textsFor: (titles) => {
      const [first = '', ...others] = titles.values();
      const folders = [...titles.keys()].flatMap((url) => apps.folders.getFolders(url, connection).map(getUriPath));
      const loss = [
        vscode.l10n.t(
          'Packages, builds, logs, and collaborators at {0} are also deleted. Signing keys are kept. You can’t undo this.',
          connection.service.url.host,
        ),
        ...(folders.length === 0
          ? []
          : [vscode.l10n.t('These folders are kept, but no longer have an app: {0}', listText(folders))]),
      ].join('\n\n');
      return others.length === 0
        ? { question: vscode.l10n.t('Delete “{0}”?', first), loss }
        : { question: vscode.l10n.t('Delete {0} apps?', titles.size), loss };
    },
    remove: async (url, signal) => {
      const app = await calls.get(url, { signal });
      const folders = apps.folders.getFolders(url, connection);
      await calls.delete(app, { signal });
      apps.watcher.stop(url);
      await apps.buildInputs.set(url, connection, undefined);
      for (const folder of folders) {
        await apps.folders.set(folder, connection, undefined);
      }
    },
  });
}

function getAppTitle({ app, value }: AppNode): string {
  return app === undefined || app.title === '' ? value.label : app.title;
}
