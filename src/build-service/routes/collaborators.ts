/** Manages the collaborators of an app. Only the owner can change them. Other collaborators can leave. */
import type { Hono } from 'hono';

import { HttpError, notFound } from '../http/errors.ts';
import { lineField, textField } from '../http/fields.ts';
import { withReceivedRequest, type ReceivedRequest } from '../http/receivedRequest.ts';
import type { Service } from '../service.ts';
import { addParticipant, changeRole, removeParticipant } from '../store/apps.ts';
import type { App, Participant, Role } from '../store/model.ts';
import { isEmailAddress } from '../store/users.ts';
import { requireOwner, withCurrentApp, type AppPermission, type WithApp } from './appAccess.ts';
import { appLink, collaboratorActions, collaboratorsActions } from './appActions.ts';
import { answerApp, collaboratorsSummary, collaboratorSummary } from './appResource.ts';

/** Adds the routes for an app's collaborators. */
export function addCollaboratorRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store } = service;
  const permission = requireOwner('manage its collaborators');

  apps.get('/collaborators', (c) => {
    const { app, user } = c.var;
    const actions = collaboratorsActions(app, user);
    return c.json({ ...collaboratorsSummary(app), links: { app: appLink(app) }, actions });
  });

  apps.post('/collaborators', (c) => {
    const { app, user } = c.var;
    permission(app, user);
    return withReceivedRequest(c, service, ({ fields }) => {
      const email = readEmail(fields);
      const role = readRole(fields);
      const added = withCurrentApp(c, store, permission, () => addParticipant(store, app.id, email, role));
      if (added === undefined) {
        throw new HttpError(409, `${email} is already a collaborator of app ${app.id}. To change the role, use PUT.`);
      }
      return answerApp(c, store, user, app.id, added === 'active' ? 201 : 202);
    });
  });

  apps.get('/collaborators/:collaborator', (c) => {
    const { app, user } = c.var;
    const participant = requireParticipant(app, c.req.param('collaborator'));
    const links = { app: appLink(app), collaborators: `${appLink(app)}/collaborators` };
    const actions = collaboratorActions(app, participant, user);
    return c.json({ ...collaboratorSummary(app, participant), links, actions });
  });

  apps.put('/collaborators/:collaborator', (c) => {
    const { app, user } = c.var;
    const id = c.req.param('collaborator');
    requireParticipant(app, id);
    permission(app, user);
    return withReceivedRequest(c, service, ({ fields }) => {
      if ((fields.email ?? '') !== '') {
        throw new HttpError(
          400,
          'A collaborator’s email address can’t be changed. Remove the collaborator and add another one.',
        );
      }
      const role = readRole(fields);
      withCurrentApp(c, store, permission, (current) => {
        const participant = requireParticipant(current, id);
        requireNotOwner(current, participant);
        changeRole(store, participant, role);
      });
      return answerApp(c, store, user, app.id);
    });
  });

  apps.delete('/collaborators/:collaborator', (c) => {
    const { app, user } = c.var;
    const id = c.req.param('collaborator');
    const { person } = withCurrentApp(c, store, anyRole, (current) => {
      const participant = requireParticipant(current, id);
      if (participant.userId !== user.id) {
        permission(current, user);
      }
      requireNotOwner(current, participant);
      removeParticipant(store, participant);
      return participant;
    });
    return c.json({ success: `${person} removed from app ${app.id}` }, 202);
  });
}

const anyRole: AppPermission = () => undefined;

/**
 * Returns a collaborator of an app.
 *
 * @param id ID from a path
 * @throws HttpError 404 if it doesn't exist
 */
function requireParticipant(app: App, id: string): Participant {
  const participant = app.participants.find((each) => String(each.id) === id);
  if (participant === undefined) {
    throw notFound(`could not find collaborator #${id}`);
  }
  return participant;
}

/**
 * Rejects changes to the app's owner.
 *
 * @throws HttpError 403
 */
function requireNotOwner(app: App, { userId }: Participant): void {
  if (userId === app.ownerId) {
    throw new HttpError(403, `The owner of app ${app.id} can’t be changed or removed.`);
  }
}

/**
 * Reads the email address in a request.
 *
 * @throws HttpError 400 if it's invalid
 */
function readEmail(fields: ReceivedRequest['fields']): string {
  const email = lineField(fields, 'email');
  if (!isEmailAddress(email)) {
    throw new HttpError(400, 'The field email must be an email address.');
  }
  return email;
}

/**
 * Reads the role in a request.
 *
 * @throws HttpError 400 if it's unknown
 */
function readRole(fields: ReceivedRequest['fields']): Role {
  switch (textField(fields, 'role') ?? '') {
    case 'dev':
    case 'developer':
      return 'developer';
    case 'tester':
      return 'tester';
    default:
      throw new HttpError(400, 'The field role must be dev or tester.');
  }
}
