/** Those who work on an app. Only its owner manages them; everybody else can leave. */
import type { Hono, MiddlewareHandler } from 'hono';

import { HttpError, notFound } from '../http/errors.ts';
import { textField } from '../http/fields.ts';
import { withReceivedRequest, type ReceivedRequest } from '../http/receivedRequest.ts';
import type { Service } from '../service.ts';
import {
  addParticipant,
  changeRole,
  findParticipant,
  removeParticipant,
  type Participant,
} from '../store/collaborators.ts';
import type { App, Role, User } from '../store/model.ts';
import { requireOwner, withCurrentApp, type AppPermission, type WithApp } from './appAccess.ts';
import { answerApp, collaboratorResource, collaboratorsResource } from './appResource.ts';

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254;

interface WithParticipant {
  Variables: WithApp['Variables'] & { readonly participant: Participant };
}

/** Adds `/collaborators` of an app. */
export function addCollaboratorRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store } = service;
  const permission = requireOwner('manage its collaborators');

  apps.get('/collaborators', (c) => c.json(collaboratorsResource(store, c.var.app, c.var.user)));

  apps.post('/collaborators', (c) => {
    const { app, user } = c.var;
    permission(app, user);
    return withReceivedRequest(c, service, ({ fields }) => {
      const email = readEmail(fields);
      const role = readRole(fields);
      const added = withCurrentApp(store, user, app, permission, () => addParticipant(store, app, email, role));
      if (added === undefined) {
        throw new HttpError(409, `${email} is a collaborator of app ${app.id} already. To change the role, use PUT.`);
      }
      return answerApp(c, store, app.id, added === 'active' ? 201 : 202);
    });
  });

  const participants = apps.use('/collaborators/:collaborator', provideParticipant(service))
}
