import * as vscode from 'vscode';
import type { FormField } from '../api/hypermedia/resource.ts';
import type { AppFields } from '../apps/calls/appCalls.ts';
import type { App } from '../apps/model/app.ts';
import { booleanOf, hasMember, textMember } from '../apps/model/members.ts';
import { BackError, type Input, type PickItem } from '../workbench/input.ts';
import { askForValue } from './wizard/formFields.ts';

interface Detail {
  readonly field: FormField;
  readonly name: string;
  readonly value: string;
}

type DetailItem = PickItem & ({ readonly save: true } | { readonly save: false; readonly detailOfApp: Detail });

/**
 * Shows the details of an app, each with its value, and has a person change them in any order, until they are saved.
 *
 * @returns what was changed.
 */
export async function askForDetails(input: Input, app: App): Promise<AppFields> {
  const details = detailsOf(app);
  const changes = new Map<Detail, string>();
  const title = vscode.l10n.t('Update “{0}”', app.title);
  let active: Detail | undefined;
  for (;;) {
    const items = itemsOf(details, changes);
    const chosen = await input.pick<DetailItem>(items, {
      title,
      placeholder: vscode.l10n.t('What do you want to change?'),
      active: items.find((item) => (item.save ? active === undefined : item.detailOfApp === active)),
      ignoreFocusOut: true,
    });
    if (chosen.save) {
      return Object.fromEntries(
        [...changes].map(([{ field }, value]) => [field.name, isBoolean(field) ? value === 'true' : value]),
      );
    }
    active = chosen.detailOfApp;
    const { field, value: before } = active;
    const proposed = changes.get(active) ?? before;
    // A value that is true or false is changed at once; any other is asked for.
    const value = isBoolean(field)
      ? String(proposed !== 'true')
      : await askForValue(field, proposed, { title, back: true }, input).catch((error: unknown) => {
          if (error instanceof BackError) {
            return proposed;
          }
          throw error;
        });
    if (value === before) {
      changes.delete(active);
    } else {
      changes.set(active, value);
    }
  }
}

/** Those that the form for updating names; where the service offers no form, those that the original took. */
function detailsOf(app: App): readonly Detail[] {
  const form = app.resource.forms.find(({ name }) => name === 'update' || name === 'edit');
  const shown = form?.fields.filter(({ type }) => !['hidden', 'submit', 'file', 'password'].includes(type ?? ''));
  return (shown ?? documentedFields(app)).map((field) => ({
    field,
    name: field.title ?? field.name,
    value: isBoolean(field) ? String(field.value === 'true') : (field.value ?? ''),
  }));
}

function documentedFields({ title, resource }: App): readonly FormField[] {
  const flags = [
    { name: 'private', title: vscode.l10n.t('Private') },
    { name: 'debug', title: vscode.l10n.t('Debug') },
    { name: 'hydrates', title: vscode.l10n.t('Hydration') },
  ];
  return [
    { name: 'title', title: vscode.l10n.t('Title'), value: title, required: true },
    { name: 'description', title: vscode.l10n.t('Description'), value: textMember(resource, 'description') ?? '' },
    ...flags
      .filter(({ name }) => hasMember(resource, name))
      .map(({ name, title: caption }) => ({
        name,
        title: caption,
        type: 'checkbox',
        value: String(booleanOf(resource, name) ?? false),
      })),
  ];
}

function itemsOf(details: readonly Detail[], changes: ReadonlyMap<Detail, string>): readonly DetailItem[] {
  const rows = details.map((detail): DetailItem => {
    const changed = changes.get(detail);
    return {
      icon: changed === undefined ? 'circle-small' : 'edit',
      label: detail.name,
      description: shownValue(detail.field, changed ?? detail.value),
      ...(changed !== undefined && { detail: vscode.l10n.t('Was: {0}', shownValue(detail.field, detail.value)) }),
      save: false,
      detailOfApp: detail,
    };
  });
  if (changes.size === 0) {
    return rows;
  }
  const names = [...changes.keys()].map(({ name }) => name).join(', ');
  return [{ icon: 'save', label: vscode.l10n.t('Save'), description: names, save: true }, ...rows];
}

function shownValue({ options, ...field }: FormField, value: string): string {
  if (isBoolean(field)) {
    return value === 'true' ? vscode.l10n.t('yes') : vscode.l10n.t('no');
  }
  const option = options?.find((each) => each.value === value);
  return option?.title ?? (value === '' ? vscode.l10n.t('(empty)') : value);
}

function isBoolean({ type }: Pick<FormField, 'type'>): boolean {
  return type === 'checkbox' || type === 'boolean';
}
