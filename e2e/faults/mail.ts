import { certificateShown } from '../https.ts'
import { ends } from '../sites.ts'
import { until } from '../until.ts'
import type { Kind, Subject } from './kinds.ts'
import * as own from './own.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

const domainOf = ({ name }: Subject) => `${name}.mail.example`
const mailServers = new WeakSet<Managed>()

/** The mail domain as the API shows it; undefined if it does not exist. */
async function find({ api }: World, subject: Subject): Promise<{ id: number; state: string } | undefined> {
  const { items } = await api.must('GET', `/mailbox/mailboxes?search=${domainOf(subject)}`)
  return items[0]
}
async function idOf(world: World, subject: Subject): Promise<number> {
  const found = await find(world, subject)
  if (!found) throw new Error(`${domainOf(subject)} does not exist`)
  return found.id
}
/** The only mailbox of the domain. */
async function userOf(world: World, subject: Subject): Promise<number> {
  const { items } = await world.api.must('GET', `/mailbox/mailboxes/${await idOf(world, subject)}`)
  return items[0].id
}
async function trashOf({ api }: World, name: string): Promise<number> {
  const { items } = await api.must('GET', '/mailbox/trash')
  return items.find((one: { name: string }) => one.name === name).id
}

/** Lets servers of the type of the hosts serve mail. */
async function withMail({ api }: World): Promise<void> {
  const path = '/cloud-management/server-types/all-in-one/services'
  const { services, version } = await api.must('GET', path)
  if (!services.includes('dovecot'))
    await api.must('PATCH', path, { services: [...services, 'postfix', 'dovecot'], version })
}

/** Before the fault: makes the host a mail server, with the domain and its mailbox if the kind changes them. */
const standing =
  (has: 'nothing' | 'domain' | 'user' | 'deleted user' | 'deleted domain') =>
  async (world: World, subject: Subject): Promise<void> => {
    const { api } = world
    const { server } = subject
    const ask = async (method: 'POST' | 'DELETE', path: string, body: object = {}) => {
      const answer = await api.must(method, path, body)
      await ends(api, answer.workflowId, 'done')
      return answer.data.id as number
    }
    if (!mailServers.has(server)) {
      await asAllInOne(world, server)
      await withMail(world)
      await ask('POST', '/mailbox/mailboxes', { domain: `${server.id}.first.example`, serverId: server.id })
      mailServers.add(server)
    }
    if (has === 'nothing') return
    const id = await ask('POST', '/mailbox/mailboxes', { domain: domainOf(subject), serverId: server.id })
    if (has === 'domain') return
    const user = await ask('POST', `/mailbox/mailboxes/${id}/users`, { localPart: 'kari' })
    if (has === 'deleted user') await ask('DELETE', `/mailbox/users/${user}`)
    if (has === 'deleted domain') await ask('DELETE', `/mailbox/mailboxes/${id}`)
  }

function otherOf({ servers }: World, { server }: Subject): Managed {
  const other = servers.find(({ id }) => id !== server.id)
  if (!other) throw new Error('The fault test has one server, so nothing can move')
  return other
}
/** The other host, which becomes a mail server first. */
async function secondOf(world: World, subject: Subject): Promise<number> {
  const server = otherOf(world, subject)
  if (!mailServers.has(server)) await standing('nothing')(world, { ...subject, server })
  return server.id
}
const passesOn = async ({ host }: Managed, domain: string) =>
  (await host.exec(['postmap', '-q', domain, 'hash:/etc/postfix/innkeeper/relays'])).code === 0

/** The domain is on one server only; the other server forwards its mail or does not know the domain. */
async function checkMove(world: World, subject: Subject, done: boolean): Promise<string[]> {
  const [here, there] = done ? [otherOf(world, subject), subject.server] : [subject.server, otherOf(world, subject)]
  const bad = await check(world, subject, here)
  if ((await passesOn(there, domainOf(subject))) !== done)
    bad.push(`${there.host.name} should ${done ? '' : 'not '}pass on`)
  if (await passesOn(here, domainOf(subject))) bad.push(`${here.host.name} holds the mail of its own domain`)
  return bad
}

/** Postfix knows the domain, or the mailbox, exactly when the API shows it. */
async function check(world: World, subject: Subject, { host } = subject.server): Promise<string[]> {
  const known = async (map: string, key: string) =>
    (await host.exec(['postmap', '-q', key, `hash:/etc/postfix/innkeeper/${map}`])).code === 0
  const there = await find(world, subject)
  const bad: string[] = []
  const domain = domainOf(subject)
  if ((await known('domains', domain)) !== (there !== undefined)) bad.push(`${domain}: Postfix and the API differ`)
  if (there?.state !== 'applied') return bad
  const { items } = await world.api.must('GET', `/mailbox/mailboxes/${there.id}`)
  if ((await known('mailboxes', `kari@${domain}`)) !== items.length > 0)
    bad.push(`kari@${domain}: Postfix and the API differ`)
  return bad
}

const kind = (has: Parameters<typeof standing>[0], ask: Kind['ask']): Kind => ({
  weight: 1,
  heavy: true, // the host must become a mail server first
  undoable: true,
  prepare: standing(has),
  ask,
  named: domainOf,
  check: (world, subject) => check(world, subject),
})
const importPassword = 'a mailbox of the faults'
const start = async (world: World, method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) =>
  (await world.api.must(method, `/mailbox/${path}`, body)).workflowId

/** The mail domain of the website of this round. */
async function ofSite({ api }: World, subject: Subject) {
  const { items } = await api.must('GET', `/mailbox/mailboxes?search=${own.siteOf(subject).name}`)
  return items[0]
}
/** The mail host shows the certificate that Innkeeper names, not the other certificate of the website. */
async function checkCertificate(world: World, subject: Subject, done: boolean): Promise<string[]> {
  const { name } = own.siteOf(subject)
  const { certificate, websiteId } = await ofSite(world, subject)
  const shown = await certificateShown(subject.server.host.address, `mail.${name}`, 993)
  const { items } = await world.api.must('GET', `/ssl-controller/certificates/${websiteId}`)
  const bad = (certificate !== null) === done ? [] : [`mail.${name} should ${done ? '' : 'not '}have a certificate`]
  const [{ fingerprint }] = items
  if ((shown === fingerprint) !== (certificate?.fingerprint === fingerprint))
    bad.push(`mail.${name} shows ${shown}, but Innkeeper says ${certificate?.fingerprint}`)
  return bad
}

export const mail: Record<string, Kind> = {
  'mailbox.certificate': {
    weight: 1,
    heavy: true,
    scheduled: true,
    undoable: true,
    named: (subject) => own.siteOf(subject).name,
    async prepare(world, subject, calls) {
      await standing('nothing')(world, subject)
      await own.standing()(world, subject, calls)
      const websiteId = await own.idOf(world, own.siteOf(subject).name)
      const answer = await world.api.must('POST', '/mailbox/mailboxes', { websiteId, serverId: subject.server.id })
      await ends(world.api, answer.workflowId, 'done')
    },
    /** A schedule starts the workflow once the website has a certificate with the name of the mail host. */
    async ask(world, subject) {
      const { workflowId: before, websiteId } = await ofSite(world, subject)
      const altNames = [`mail.${own.siteOf(subject).name}`]
      const issued = await world.api.must('POST', '/ssl-controller/certificate/self-signed', { websiteId, altNames })
      await ends(world.api, issued.workflowId, 'done')
      return until('the certificate is on its way to the mail host', async () => {
        const { workflowId } = await ofSite(world, subject)
        return workflowId !== before && workflowId
      })
    },
    check: checkCertificate,
  },
  'mailbox.move': {
    ...kind('user', async (world, subject) =>
      start(world, 'POST', `mailboxes/${await idOf(world, subject)}/move`, {
        serverId: await secondOf(world, subject),
      }),
    ),
    check: checkMove,
  },
  'mailbox.retire': {
    ...kind('user', async (world, subject) => start(world, 'POST', `mailboxes/${await idOf(world, subject)}/retire`)),
    async prepare(world, subject) {
      await standing('user')(world, subject)
      const path = `mailboxes/${await idOf(world, subject)}/move`
      await ends(world.api, await start(world, 'POST', path, { serverId: await secondOf(world, subject) }), 'done')
    },
    /** The former server forwards mail until it is cleared, and then does not know the domain. */
    async check(world, subject, done) {
      const passes = await passesOn(subject.server, domainOf(subject))
      const bad =
        passes === !done ? [] : [`${subject.server.host.name} ${passes ? 'still passes' : 'does not pass'} on mail`]
      return [...bad, ...(await check(world, subject, otherOf(world, subject)))]
    },
  },
  'mailbox.create': kind('nothing', (world, subject) =>
    start(world, 'POST', 'mailboxes', { domain: domainOf(subject), serverId: subject.server.id }),
  ),
  'mailbox.change': kind('user', async (world, subject) =>
    start(world, 'POST', `mailboxes/${await idOf(world, subject)}/aliases`, {
      localPart: 'info',
      targets: [`kari@${domainOf(subject)}`],
    }),
  ),
  'mailbox.key': kind('user', async (world, subject) =>
    start(world, 'POST', `mailboxes/${await idOf(world, subject)}/keys`),
  ),
  'mailbox.toggle': kind('user', async (world, subject) =>
    start(world, 'PATCH', `mailboxes/${await idOf(world, subject)}/toggle`, { status: 'receive-only', reason: 'test' }),
  ),
  'mailbox.delete': kind('user', async (world, subject) =>
    start(world, 'DELETE', `mailboxes/${await idOf(world, subject)}`),
  ),
  'mailbox.restore': kind('deleted domain', async (world, subject) =>
    start(world, 'POST', `mailboxes/${await trashOf(world, domainOf(subject))}/restore`),
  ),
  'mailbox.user-create': kind('domain', async (world, subject) =>
    start(world, 'POST', `mailboxes/${await idOf(world, subject)}/users`, { localPart: 'kari' }),
  ),
  'mailbox.user-change': kind('user', async (world, subject) =>
    start(world, 'PATCH', `users/${await userOf(world, subject)}`, { quotaMb: 50 }),
  ),
  // from the mailbox itself, which has nothing new
  'mailbox.import': {
    ...kind('user', async (world, subject) =>
      start(world, 'POST', `users/${await userOf(world, subject)}/import`, {
        ...{ host: '127.0.0.1', login: `kari@${domainOf(subject)}`, password: importPassword },
        fingerprint: await certificateShown(subject.server.host.address, `mail.${domainOf(subject)}`, 993),
      }),
    ),
    async prepare(world, subject) {
      await standing('user')(world, subject)
      const path = `/mailbox/users/${await userOf(world, subject)}`
      const { workflowId } = await world.api.must('PATCH', path, { password: importPassword })
      await ends(world.api, workflowId, 'done')
    },
  },
  'mailbox.user-delete': kind('user', async (world, subject) =>
    start(world, 'DELETE', `users/${await userOf(world, subject)}`),
  ),
  'mailbox.user-restore': kind('deleted user', async (world, subject) =>
    start(world, 'POST', `users/${await trashOf(world, `kari@${domainOf(subject)}`)}/restore`),
  ),
}
