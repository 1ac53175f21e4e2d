import { InvalidResponseError } from '../../api/errors/responseErrors.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import { isHtml, type ServiceResponse } from '../../api/http/response.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { fieldOf, plainMessage, selfUrl, textOf } from '../model/members.ts';

/** What an answer is, as a resource. @throws InvalidResponseError when it is none. */
export function resourceOf(response: ServiceResponse): Resource {
  if (response.body.kind !== 'json') {
    throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', URL.parse(response.url)?.host ?? '');
  }
  return response.body.resource;
}

/**
 * Fails for an answer of success that tells of a failure: one whose `error` is a text, as clients of the original read it. On an
 * app it is an object.
 *
 * @throws ServiceError
 */
export function throwIfRefused({ status, body }: ServiceResponse): void {
  const field = body.kind === 'json' ? fieldOf(body.resource, 'error') : undefined;
  const message = typeof field?.value === 'string' ? plainMessage(field.value) : undefined;
  if (message !== undefined && field?.text !== '{}' && field?.text !== '[]') {
    throw new ServiceError(status, message, {
      what: sentence('The service refused it: {0}', message),
      next: sentence('Correct what it names, then try again.'),
      remedy: 'showLog',
    });
  }
}

/**
 * Where what was created is: its own link, the header Location (RFC 9110 §10.2.2), or its number below the list.
 *
 * @throws InvalidResponseError when the answer does not say.
 */
export function createdUrl({ body, headers, url }: ServiceResponse, listUrl: string): string {
  const resource = body.kind === 'json' ? body.resource : undefined;
  const location = headers.location === undefined ? null : URL.parse(headers.location, url);
  const id = resource && textOf(resource, 'id');
  const created = (resource && selfUrl(resource)) ?? location?.href ?? (id && `${listUrl}/${encodeURIComponent(id)}`);
  if (created === undefined || created === '') {
    throw new InvalidResponseError('missingField', 'link');
  }
  return created;
}
