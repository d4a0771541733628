import { certificateShown } from '../https.ts'
import { edged, showsAlike } from './edges.ts'
import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import type { World } from './world.ts'

interface Kept {
  items: { id: number; fingerprint: string | null; status: string }[]
  https: { certificateId: number; redirect: boolean } | null
}
const read = async (world: World, subject: Subject): Promise<Kept> =>
  world.api.must('GET', `/ssl-controller/certificates/${await idOf(world, siteOf(subject).name)}`)
async function its(world: World, subject: Subject): Promise<number> {
  const [certificate] = (await read(world, subject)).items
  if (!certificate) throw new Error(`${siteOf(subject).name} has no certificate`)
  return certificate.id
}

/** The host and the edge serve over TLS exactly the certificate that Innkeeper shows, or none. */
async function check(world: World, subject: Subject, on: boolean): Promise<string[]> {
  const { name } = siteOf(subject)
  const { items, https } = await read(world, subject)
  const wanted = items.find(({ id }) => id === https?.certificateId)?.fingerprint ?? 'none'
  const shown = await certificateShown(subject.server.host.address, name)
  const bad = (https !== null) === on ? [] : [`${name} should ${on ? '' : 'not '}answer over https, in Innkeeper`]
  if (wanted !== shown) bad.push(`${name} serves the certificate ${shown}, but Innkeeper shows ${wanted}`)
  return [...bad, ...(await showsAlike(world, subject, true))]
}

const kind = (before: boolean, after: boolean, steps: string[], ask: Kind['ask']): Kind => ({
  weight: 1,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: edged(standing('vhost.create', ...steps)),
  ask,
  check: (world, subject, done) => check(world, subject, done ? after : before),
})

/** Uses self-signed certificates, because faults do not cover an authority. */
export const certificates: Record<string, Kind> = {
  'certificate.issue': kind(false, true, [], async (world, subject) => {
    const websiteId = await idOf(world, siteOf(subject).name)
    return (await world.api.must('POST', '/ssl-controller/certificate/self-signed', { websiteId })).workflowId
  }),
  'certificate.renew': kind(
    true,
    true,
    ['certificate.issue'],
    async (world, subject) =>
      (await world.api.must('PATCH', `/ssl-controller/certificate/${await its(world, subject)}`, {})).workflowId,
  ),
  'certificate.install': kind(
    true,
    true,
    ['certificate.issue'],
    async (world, subject) =>
      (
        await world.api.must('POST', `/ssl-controller/certificate/${await its(world, subject)}/install`, {
          redirect: false, // the watcher visits over http
          hstsDays: 1,
        })
      ).workflowId,
  ),
  'certificate.remove': kind(
    true,
    false,
    ['certificate.issue'],
    async (world, subject) =>
      (await world.api.must('DELETE', `/ssl-controller/websites/${await idOf(world, siteOf(subject).name)}`, {}))
        .workflowId,
  ),
  // not covered here: server/net/ssl/orders/order.test.ts has an authority
  'certificate.revoke': {
    ...kind(true, false, ['certificate.issue'], () => Promise.reject(new Error('The fault test has no authority'))),
    weight: 0,
  },
}
