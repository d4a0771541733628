import { expect, test } from 'vitest'
import { contract } from '../index.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * The permission tests of the server take the contract as right, so a call that lost its permission would pass them.
 * The calls that need less than a permission to change something are therefore stated here once more.
 */
const calls = Object.entries(contract).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, endpoint]) => ({ name: `${domain}.${name}`, endpoint: endpoint as Endpoint })),
)
const namesOf = (isMeant: (endpoint: Endpoint) => boolean) =>
  calls.filter(({ endpoint }) => isMeant(endpoint)).map(({ name }) => name)
const listed = (names: Record<string, string>) =>
  Object.entries(names).flatMap(([domain, list]) => list.split(' ').map((name) => `${domain}.${name}`))

/** Calls without a session: sign-in, shared files, feeds with a key, and signed messages of other services. */
const open = {
  archiveImports: 'openLink',
  auth: 'token link redeem',
  files: 'publicFile publicFolder',
  leaves: 'calendar',
  passkeys: 'challenge signIn',
  providers: 'ways',
  qcSources: 'importSigned',
  sms: 'report reply',
}
/** Calls for everybody who is signed in: about the caller, or with a check of the handler's own. */
const signedIn = {
  auth: 'logout validate password sessions endSession endOthers',
  passkeys: 'list options add rename remove',
  secondFactor: 'read begin confirm remove backupCodes',
  scopes: 'grantors ask',
  profiles: 'config',
  notifications: 'list read',
  files: 'ticket',
  servers: 'practice',
  views: 'list save remove',
  calendarEvents: 'holidays upcoming',
  shifts: 'next take swaps offerSwap answerSwap withdrawSwap wishes addWish removeWish',
  workflows: 'list one output',
  leaves: 'one document preview feed openFeed closeFeed',
  qcMine: 'ownReviews ownReview ownConversation ownFigures answerReview ownFeedbacks withdrawDispute',
  lostSecrets: 'list',
  scrums: 'audit acknowledge',
  sms: 'acknowledge',
  apiTokens: 'list current revoke',
  elevations: 'list held terms offers ask end',
  dossiers: 'mine acknowledge feedbackFile talks talk prepareTalk closeTalk',
}
/** Writing calls for people who may read: exports that are logged, and what concerns the caller alone. */
const readers = {
  log: 'verify',
  dns: 'exportKeys',
  calendarEvents: 'signUp',
  qcCalibrations: 'submitCalibration',
  bugs: 'watch unwatch',
  features: 'watch unwatch vote unvote',
  internalTickets: 'watch unwatch',
  dossiers: 'export',
}

test('only these calls work without a session', () => {
  expect(namesOf(({ access }) => access === 'public').toSorted()).toEqual(listed(open).toSorted())
})

test('only these calls need no permission', () => {
  expect(namesOf(({ access }) => access === 'signedIn').toSorted()).toEqual(listed(signedIn).toSorted())
})

test('only these writing calls need no more than a permission to read', () => {
  const needs = ({ access }: Endpoint) => (access === 'public' || access === 'signedIn' ? [] : [access].flat())
  const reads = (endpoint: Endpoint) =>
    needs(endpoint).length > 0 && needs(endpoint).every((one) => one.endsWith(':read'))
  const found = namesOf((endpoint) => endpoint.effect !== 'read' && reads(endpoint))
  expect(found.toSorted()).toEqual(listed(readers).toSorted())
})
